package io.faasimage.refactor.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LayerIndexCodecTest {
    private static final Attributes PLAIN = Attributes.of(0644, 1000, -1, 1_600_000_000L, 123_456_789);

    @Test
    void bytesStayTheSame() {
        assertThat(Digest.of(LayerIndexCodec.encode(index())).hex())
                .isEqualTo("58ee8aa4c4ce8bc91da061577b545ae7494c4b36e7f68733d35c9ede6cf80afb");
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        LayerIndex index = index();
        byte[] bytes = LayerIndexCodec.encode(index);
        LayerIndex read = LayerIndexCodec.decode(bytes);

        assertThat(LayerIndexCodec.encode(read)).isEqualTo(bytes);
        assertThat(read.blob()).isEqualTo(index.blob());
        assertThat(read.diffId()).isEqualTo(index.diffId());
        assertThat(read.blocks()).isEqualTo(index.blocks());
        assertThat(read.counts()).isEqualTo(index.counts());
        assertThat(read.contents()).containsExactly(Digest.of(new byte[] {3}));
        assertThat(read.entries()).hasSameSizeAs(index.entries());
        assertThat(((LayerEntry.Put) read.entries().get(1)).inode())
                .isInstanceOfSatisfying(
                        Inode.RegularFile.class, file -> assertThat(file.size()).isEqualTo(300));
    }

    @Test
    void everyFlippedBitIsFound() {
        byte[] bytes = LayerIndexCodec.encode(index());
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            assertThatThrownBy(() -> LayerIndexCodec.decode(damaged)).isInstanceOf(FormatException.class);
        }
    }

    @Test
    void everyCutIsFound() {
        byte[] bytes = LayerIndexCodec.encode(index());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> LayerIndexCodec.decode(cut)).isInstanceOf(FormatException.class);
        }
    }

    private static LayerIndex index() {
        TreeMap<String, byte[]> xattrs = new TreeMap<>();
        xattrs.put("security.capability", new byte[] {1, 0, -1});
        xattrs.put("user.\u00e9", new byte[0]);
        Attributes rich = new Attributes(04755, 0, 0, 5, 0, xattrs);
        FilePath bin = new FilePath("bin");
        return new LayerIndex(
                Digest.of(new byte[] {1}),
                Digest.of(new byte[] {2}),
                new BlobBlocks(BlobBlocks.BLOCK + 7L, List.of(Digest.of(new byte[] {4}), Digest.of(new byte[] {5}))),
                new LayerCounts(1 << 20, 9, 77, 1),
                List.of(
                        new LayerEntry.Put(bin, new Inode.Directory(PLAIN)),
                        new LayerEntry.Put(
                                bin.child("\u00e9"), Inode.RegularFile.of(rich, 300, Digest.of(new byte[] {3}))),
                        new LayerEntry.Put(bin.child("empty"), Inode.RegularFile.empty(PLAIN)),
                        new LayerEntry.Put(bin.child("link"), new Inode.Symlink(PLAIN, "../a")),
                        special(Inode.Special.Kind.CHARACTER_DEVICE, 1),
                        special(Inode.Special.Kind.BLOCK_DEVICE, 1),
                        special(Inode.Special.Kind.FIFO, 0),
                        special(Inode.Special.Kind.SOCKET, 0),
                        new LayerEntry.HardLink(new FilePath("hard"), bin.child("\u00e9"), rich),
                        new LayerEntry.Whiteout(new FilePath("gone")),
                        new LayerEntry.Opaque(bin)));
    }

    private static LayerEntry special(Inode.Special.Kind kind, int number) {
        return new LayerEntry.Put(new FilePath(kind.name()), new Inode.Special(PLAIN, kind, number, number * 3));
    }
}
