package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErofsReaderTest {
    private static final int ROOT_INODE = Disk.SUPER_OFFSET + Disk.SUPER_BYTES;
    private static final int ROOT_ENTRIES = ROOT_INODE + Disk.INODE_BYTES;

    @TempDir
    Path temp;

    /** Root with the directories a and b, a file f and a link l, all in one block. */
    private static FileTree small() {
        FileTree tree = Trees.empty();
        Trees.put(tree, "a", new Inode.Directory(Trees.ROOT));
        Trees.put(tree, "a/c", Trees.file(Trees.withXattrs(Map.of("user.x", Trees.bytes("value"))), 9, "c"));
        Trees.put(tree, "b", new Inode.Directory(Trees.ROOT));
        Trees.put(tree, "f", Trees.file(Trees.ROOT, 5000, "f"));
        Trees.put(tree, "l", new Inode.Symlink(Trees.ROOT, "a/c"));
        return tree;
    }

    /** A few blocks: a directory of several blocks, a link target in a block of its own. */
    private static FileTree medium() {
        FileTree tree = small();
        Trees.put(tree, "x", new Inode.Symlink(Trees.ROOT, "t".repeat(4090)));
        for (int i = 0; i < 80; i++) {
            Trees.put(tree, "a/" + "name".repeat(20) + i, Inode.RegularFile.empty(Trees.ROOT));
        }
        Trees.put(tree, "p", new Inode.Special(Trees.ROOT, Inode.Special.Kind.FIFO, 0, 0));
        return tree;
    }

    @Test
    void readsFiles() throws Exception {
        Path file = temp.resolve("image");
        Files.write(file, Trees.image(small()));
        Trees.assertSame(ErofsReader.read(file), small());
    }

    @Test
    void everyTruncationIsCorrupt() throws Exception {
        byte[] image = Trees.image(medium());
        for (int length = 0; length < image.length; length += 97) {
            assertFails(Arrays.copyOf(image, length), Kind.CORRUPT);
        }
        for (int length = Disk.BLOCK; length < image.length; length += Disk.BLOCK) {
            assertFails(Arrays.copyOf(image, length), Kind.CORRUPT);
            assertFails(resealed(Arrays.copyOf(image, length)), Kind.CORRUPT);
        }
    }

    @Test
    void damageOfTheFirstBlockIsNoticed() throws Exception {
        byte[] image = Trees.image(small());
        for (int at = Disk.SUPER_OFFSET; at < Disk.BLOCK; at++) {
            byte[] damaged = image.clone();
            damaged[at] ^= 1;
            assertFails(damaged, Kind.CORRUPT);
        }
    }

    @Test
    void unknownFeaturesAreTooNew() throws Exception {
        byte[] image = Trees.image(small());
        image[Disk.SUPER_OFFSET + 80] |= 1;
        assertFails(resealed(image), Kind.TOO_NEW);
    }

    @Test
    void directoryCyclesAreRefused() throws Exception {
        byte[] image = Trees.image(small());
        ByteBuffer buffer = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        int entryOfB = ROOT_ENTRIES + 3 * Disk.DIRENT_BYTES;
        buffer.putLong(entryOfB, ROOT_INODE / Disk.SLOT);
        assertFails(resealed(image), Kind.CORRUPT);
        buffer.putLong(entryOfB, buffer.getLong(entryOfB - Disk.DIRENT_BYTES));
        assertFails(resealed(image), Kind.CORRUPT);
    }

    @Test
    void unsortedNamesAreRefused() throws Exception {
        byte[] image = Trees.image(small());
        int names = ROOT_ENTRIES + 6 * Disk.DIRENT_BYTES;
        assertThat(new String(image, names, 7, StandardCharsets.ISO_8859_1)).isEqualTo("...abfl");
        image[names + 4] = 'a';
        assertFails(resealed(image), Kind.CORRUPT);
    }

    @Test
    void filesThatAreNoStubsAreRefused() throws Exception {
        byte[] image = Trees.image(small());
        int redirect = new String(image, StandardCharsets.ISO_8859_1).indexOf("overlay.redirect");
        image[redirect] = 'O';
        assertFails(resealed(image), Kind.CORRUPT);
    }

    @Test
    void hugeNumbersAllocateNothing() throws Exception {
        byte[] image = Trees.image(small());
        for (int at = ROOT_INODE; at + 8 <= ROOT_INODE + 2000; at += 2) {
            byte[] hostile = image.clone();
            Arrays.fill(hostile, at, at + 8, (byte) 0xff);
            hostile[at + 7] = 0x7f;
            readOrFail(resealed(hostile));
        }
    }

    /** A tree that was read can be written, and reads as the same tree again. */
    private static void readOrFail(byte[] image) throws IOException {
        FileTree tree;
        try {
            tree = ErofsReader.read(image);
        } catch (FormatException e) {
            assertThat(e).hasMessageContaining("metadata image");
            return;
        }
        Trees.assertSame(ErofsReader.read(Trees.image(tree)), tree);
    }

    /** Corrects size and checksum of the superblock, so that only later parts are damaged. */
    static byte[] resealed(byte[] image) {
        byte[] sealed = Arrays.copyOf(image, Math.max(Disk.BLOCK, (int) Disk.roundUp(image.length, Disk.BLOCK)));
        ByteBuffer buffer = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(Disk.SUPER_OFFSET + 36, sealed.length / Disk.BLOCK);
        buffer.putInt(Disk.SUPER_OFFSET + Disk.CHECKSUM_OFFSET, 0);
        buffer.putInt(Disk.SUPER_OFFSET + Disk.CHECKSUM_OFFSET, Disk.superChecksum(sealed));
        return sealed;
    }

    private static void assertFails(byte[] image, Kind kind) {
        assertThatThrownBy(() -> ErofsReader.read(image))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
