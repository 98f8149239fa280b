package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErofsWriterTest {
    @TempDir
    Path temp;

    @Test
    void readsBackWhatItWrote() throws Exception {
        FileTree tree = Trees.everything();
        Trees.assertSame(ErofsReader.read(Trees.image(tree)), tree);
        Trees.assertSame(ErofsReader.read(Trees.image(Trees.empty())), Trees.empty());
    }

    @Test
    void bytesNeverChange() throws Exception {
        assertThat(Digest.of(Trees.image(Trees.everything())))
                .hasToString("sha256:6b3957a7c1cf57dac10d5af19b125aa7f433f20be6b1d1b5f102c225174d5667");
        assertThat(Digest.of(Trees.image(Trees.empty())))
                .hasToString("sha256:9d1cd590b0de775d8680a43fff3eb2404491126ab8963fbbd8d0c17fbe41cb24");
    }

    @Test
    void fileSystemCheckFindsNothing() throws Exception {
        Path image = temp.resolve("everything.erofs");
        Files.write(image, Trees.image(Trees.everything()));
        Fsck.check(image);
    }

    @Test
    void stubsHaveNoDataBlocks() throws Exception {
        FileTree tree = Trees.empty();
        for (int i = 0; i < 1000; i++) {
            Trees.put(tree, "f" + i, Trees.file(Trees.ROOT, 1L << 30, "content " + i));
        }
        assertThat(Trees.image(tree).length).isLessThan(1000 * 230 + 2 * Disk.BLOCK);
    }

    @Test
    void everyLengthOfLastDirectoryBlockWorks() throws Exception {
        for (int length = 1; length <= 255; length++) {
            FileTree tree = Trees.empty();
            for (int i = 0; i < 16; i++) {
                Trees.put(
                        tree, "%03d".formatted(i) + "n".repeat(Math.min(length, 252)), Trees.file(Trees.ROOT, 1, "c"));
            }
            Trees.put(tree, "z".repeat(length), new Inode.Directory(Trees.ROOT));
            Trees.assertSame(ErofsReader.read(Trees.image(tree)), tree);
        }
    }

    @Test
    void everyPlaceOfLinkInBlockWorks() throws Exception {
        for (int length = 1; length < 4096; length += 13) {
            FileTree tree = Trees.empty();
            for (int i = 0; i < 5; i++) {
                Trees.put(tree, "l" + i, new Inode.Symlink(Trees.ROOT, "x".repeat(length)));
                Trees.put(tree, "m" + i, new Inode.Symlink(Trees.ROOT, "y".repeat(4096 - length)));
            }
            Trees.assertSame(ErofsReader.read(Trees.image(tree)), tree);
        }
    }

    @Test
    void overlayAttributesOfTheUserAreRefused() {
        for (String name : new String[] {"trusted.overlay.redirect", "trusted.overlay.metacopy", "trusted.overlay.x"}) {
            FileTree tree = Trees.empty();
            Trees.put(tree, "evil file", Trees.file(Trees.withXattrs(Map.of(name, new byte[1])), 1, "x"));
            assertRefused(tree, "evil file", name);
            assertThat(ErofsWriter.storesXattr(name)).isFalse();
        }
        assertThat(ErofsWriter.storesXattr("trusted.overlaid")).isTrue();
    }

    @Test
    void tellsWhichAttributesItStores() {
        assertThat(ErofsWriter.storesXattr("system.posix_acl_access")).isTrue();
        assertThat(ErofsWriter.storesXattr("user." + "x".repeat(250))).isTrue();
        assertThat(ErofsWriter.storesXattr("user." + "x".repeat(251))).isFalse();
        assertThat(ErofsWriter.storesXattr("user.")).isFalse();
        assertThat(ErofsWriter.storesXattr("user.a\0b")).isFalse();
        assertThat(ErofsWriter.storesXattr("system.posix_acl_access2")).isFalse();
        assertThat(ErofsWriter.storesXattr("btrfs.compression")).isFalse();
    }

    @Test
    void whatCannotBeStoredIsRefusedBeforeTheFirstByte() {
        FileTree unknown = Trees.empty();
        Trees.put(unknown, "a", new Inode.Directory(Trees.withXattrs(Map.of("btrfs.compression", new byte[1]))));
        assertRefused(unknown, "a", "btrfs.compression");

        FileTree large = Trees.empty();
        Trees.put(large, "b", new Inode.Directory(Trees.withXattrs(Map.of("user.x", new byte[65_536]))));
        assertRefused(large, "b", "65536");

        FileTree many = Trees.empty();
        byte[] value = new byte[65_535];
        Trees.put(
                many,
                "c",
                new Inode.Directory(
                        Trees.withXattrs(Map.of("user.1", value, "user.2", value, "user.3", value, "user.4", value))));
        assertRefused(many, "c", "256 KiB");

        FileTree huge = Trees.empty();
        Trees.put(huge, "d", Trees.file(Trees.ROOT, (1L << 43) + 1, "x"));
        assertRefused(huge, "d", "8 TiB");
    }

    @Test
    void failureOfTheStreamIsPassedOn() {
        IOException full = new IOException("no space left");
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw full;
            }
        };
        assertThatThrownBy(() -> ErofsWriter.write(Trees.everything(), broken)).isSameAs(full);
    }

    private static void assertRefused(FileTree tree, String path, String message) {
        assertThatThrownBy(() -> ErofsWriter.write(tree, new OutputStream() {
                    @Override
                    public void write(int value) {
                        throw new AssertionError("wrote something");
                    }
                }))
                .isInstanceOfSatisfying(
                        TreeRefusedException.class, e -> assertThat(e.path()).isEqualTo(FilePath.ofText(path)))
                .hasMessageContaining(path)
                .hasMessageContaining(message);
    }
}
