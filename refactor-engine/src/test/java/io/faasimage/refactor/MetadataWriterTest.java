package io.faasimage.refactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata images that another thread compresses. */
class MetadataWriterTest {
    private static final int IMAGES = 8;
    private static final int FILES = 2000;
    /** Compressing with this one takes longer than writing. */
    private static final int SLOW_LEVEL = 19;

    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createDirectory(temp.resolve("out"));
    }

    private static FileTree tree(int number) {
        FileTree tree = new FileTree(ATTRIBUTES);
        for (int i = 0; i < FILES; i++) {
            Digest content =
                    Digest.of(ByteBuffer.allocate(8).putInt(number).putInt(i).array());
            tree.put(FilePath.ofText(content.hex()), Inode.RegularFile.of(ATTRIBUTES, 1, content));
        }
        return tree;
    }

    /** The files in {@code directory}. */
    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private interface Use {
        void of(MetadataWriter writer, Path work) throws IOException;
    }

    /** Runs a use in a work directory, as the engine does. */
    private void write(Use use) throws IOException {
        EngineConfig config = slow(EngineConfig.defaults(temp.resolve("work")));
        try (WorkDirectory work = WorkDirectory.create(config.workDirectory());
                OutputFiles output = new OutputFiles(directory);
                MetadataWriter writer = new MetadataWriter(work.path(), output, config, Holdings.NONE)) {
            use.of(writer, work.path());
        }
    }

    private static EngineConfig slow(EngineConfig usual) {
        return new EngineConfig(
                usual.workDirectory(),
                usual.parallelism(),
                usual.maxUncompressedBytes(),
                usual.maxFileBytes(),
                usual.maxEntries(),
                usual.maxMetadataImageBytes(),
                usual.maxMetadataBytes(),
                usual.maxXattrBytes(),
                SLOW_LEVEL,
                usual.restLevel(),
                usual.layerAttempts());
    }

    private void assertNothingIsLeft() throws Exception {
        assertThat(in(temp.resolve("work"))).isEmpty();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("metadata")) {
                thread.join(5000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
    }

    @Test
    void fewRawImagesWaitForTheirCompression() throws Exception {
        write((writer, work) -> {
            for (int i = 0; i < IMAGES; i++) {
                writer.write(tree(i));
                // One that is compressed, and one that waits.
                assertThat(in(work)).hasSizeLessThanOrEqualTo(2);
            }
            List<MetadataImage> images = writer.images();
            assertThat(images).hasSize(IMAGES);
            assertThat(in(work)).isEmpty();
            for (Path part : in(directory)) {
                byte[] stored = Files.readAllBytes(part);
                byte[] raw = Zstd.decompress(stored, (int) Zstd.getFrameContentSize(stored));
                assertThat(images).extracting(MetadataImage::digest).contains(Digest.of(raw));
            }
        });
        assertNothingIsLeft();
    }

    @Test
    void aCompressionThatFailsIsAFailureAndLeavesNothing() throws Exception {
        Files.delete(directory);
        assertThatThrownBy(() -> write((writer, _) -> {
                    for (int i = 0; i < IMAGES; i++) {
                        writer.write(tree(i));
                    }
                    writer.images();
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.toString());
        assertNothingIsLeft();
    }

    @Test
    void aCompressionThatIsCancelledLeavesNothing() throws Exception {
        assertThatThrownBy(() -> write((writer, _) -> {
                    writer.write(tree(0));
                    writer.write(tree(1));
                    Thread.currentThread().interrupt();
                    writer.images();
                }))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
        assertNothingIsLeft();
        assertThat(in(directory)).isEmpty();
    }
}
