package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Inode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The files of a chunked image: behind each inode lies the index of its chunks, eight bytes for each. */
final class ChunkForm implements ContentForm {
    private final ChunkedImage image;
    private final Map<Digest, ChunkedFile> files;

    ChunkForm(ChunkedImage image) {
        this.image = image;
        this.files = image.files().stream().collect(Collectors.toMap(ChunkedFile::content, Function.identity()));
    }

    @Override
    public List<Long> devices() {
        return image.devices();
    }

    @Override
    public int xattrBytes() {
        return 0;
    }

    @Override
    public void writeXattrs(Digest content, ImageOutput out) {
        // The overlay's lower data layers need none.
    }

    @Override
    public void measure(Node node) {
        node.chunkFormat = Disk.CHUNK_INDEXES | Integer.numberOfTrailingZeros(image.chunkBytes() / Disk.BLOCK);
        node.dataLayout = Disk.CHUNK_BASED;
        node.inlineBytes = Math.toIntExact(file(node).chunks(image.chunkBytes()) * Disk.CHUNK_INDEX_BYTES);
    }

    @Override
    public void write(Node node, ImageOutput out) {
        int blocks = image.chunkBytes() / Disk.BLOCK;
        for (ChunkRun run : file(node).runs()) {
            for (long chunk = 0; chunk < run.chunks(); chunk++) {
                out.u16(0).u16(run.device()).u32((int) (run.block() + chunk * blocks));
            }
        }
    }

    private ChunkedFile file(Node node) {
        ChunkedFile file = node.inode instanceof Inode.RegularFile regular
                ? regular.content().map(files::get).orElse(null)
                : null;
        if (file == null) {
            throw new IllegalStateException(node.path + " is not a file of the chunked image");
        }
        return file;
    }
}
