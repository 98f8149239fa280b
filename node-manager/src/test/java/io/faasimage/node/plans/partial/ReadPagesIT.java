package io.faasimage.node.plans.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.PageCache;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts over loop devices; needs root. */
class ReadPagesIT {
    private static final int MOST_READS = 20;

    @TempDir
    Path temp;

    private final Random random = new Random(5);
    private final List<byte[]> contents = new ArrayList<>();

    @AfterEach
    void remove() throws IOException {
        PartialMount.remove(temp.resolve("view"));
        assertThat(MountTable.read().below(temp.toRealPath())).isEmpty();
        assertThat(temp.resolve("view")).doesNotExist();
    }

    private WholeObject object(int size) throws IOException {
        byte[] content = new byte[size];
        random.nextBytes(content);
        contents.add(content);
        Digest digest = Digest.of(content);
        return new WholeObject(digest, size, Files.write(temp.resolve(digest.hex()), content));
    }

    private ReadPages mount(WholeObject... objects) throws IOException {
        return ReadPages.mount(temp.toRealPath().resolve("view"), List.of(objects));
    }

    /** A read of some pages. */
    private interface Reading {
        void run() throws IOException;
    }

    /** Pages that the kernel reclaims between the read and the look, as a machine with DAMON does, are read again. */
    private static void assertRead(ReadPages pages, WholeObject object, List<ByteRange> expected, Reading reading)
            throws IOException {
        Optional<List<ByteRange>> seen = Optional.empty();
        for (int i = 0; i < MOST_READS && !seen.equals(Optional.of(expected)); i++) {
            reading.run();
            seen = pages.of(object.digest());
        }
        assertThat(seen).contains(expected);
    }

    @Test
    void thePagesThatWereReadAndMappedAndNoOthers() throws Exception {
        int page = PageCache.pageBytes();
        WholeObject read = object((4 << 20) + 5000);
        WholeObject mapped = object(20 << 20);
        WholeObject unread = object((4 << 20) + 1);
        ReadPages pages = mount(read, mapped, unread);
        assertThat(pages.of(read.digest())).contains(List.of());
        long last = (read.size() - 1) / page * page;
        try (FileChannel file =
                        FileChannel.open(pages.point().resolve(read.digest().objectPath()));
                FileChannel other =
                        FileChannel.open(pages.point().resolve(mapped.digest().objectPath()));
                Arena arena = Arena.ofConfined()) {
            List<ByteRange> readPages =
                    List.of(new ByteRange(7L * page, 3L * page), new ByteRange(last, read.size() - last));
            assertRead(pages, read, readPages, () -> {
                file.read(ByteBuffer.allocate(2 * page), 7L * page + 1);
                file.read(ByteBuffer.allocate(1), read.size() - 1);
            });
            MemorySegment memory = other.map(FileChannel.MapMode.READ_ONLY, 0, mapped.size(), arena);
            List<ByteRange> mappedPages = List.of(new ByteRange(100L * page, page), new ByteRange(900L * page, page));
            assertRead(pages, mapped, mappedPages, () -> {
                assertThat(memory.get(ValueLayout.JAVA_BYTE, 100L * page)).isEqualTo(contents.get(1)[100 * page]);
                assertThat(memory.get(ValueLayout.JAVA_BYTE, 900L * page)).isEqualTo(contents.get(1)[900 * page]);
            });
        }
        assertThat(pages.of(unread.digest())).contains(List.of());
        assertThat(pages.of(Digest.of(new byte[] {1}))).isEmpty();
    }

    @Test
    void whatItShowsAreTheObjects() throws Exception {
        WholeObject[] objects = {object(4 << 20), object((4 << 20) + 4095), object((9 << 20) + 65_536)};
        ReadPages pages = mount(objects);
        for (int i = 0; i < objects.length; i++) {
            WholeObject object = objects[i];
            byte[] content = contents.get(i);
            Path shown = pages.point().resolve(object.digest().objectPath());
            assertRead(
                    pages,
                    object,
                    List.of(new ByteRange(0, object.size())),
                    () -> assertThat(Files.readAllBytes(shown)).isEqualTo(content));
        }
    }

    @Test
    void anObjectThatIsTooShortIsNotMounted() throws Exception {
        WholeObject object = object(4 << 20);
        WholeObject longer = new WholeObject(object.digest(), object.size() + (1 << 20), object.file());
        assertThatThrownBy(() -> mount(longer))
                .hasMessageContaining(object.file().toString());
        assertThat(MountTable.read().below(temp.toRealPath())).isEmpty();
    }
}
