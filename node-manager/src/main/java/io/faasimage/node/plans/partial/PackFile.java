package io.faasimage.node.plans.partial;

import io.faasimage.format.id.Digest;
import io.faasimage.format.partial.PackExtent;
import io.faasimage.format.partial.PartialLayout;
import io.faasimage.format.plan.PieceMap;
import io.faasimage.store.ObjectStore;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A writer of the pack of a partial layer: it copies from verified pieces in the store. For one thread. */
final class PackFile implements Closeable {
    private final ObjectStore store;
    private final FileChannel out;
    /** The piece that was read last: most of the next reads are in it, too. */
    private @Nullable Digest piece;

    private @Nullable FileChannel in;

    private PackFile(ObjectStore store, FileChannel out) {
        this.store = store;
        this.out = out;
    }

    /**
     * Writes the new file {@code pack}, complete.
     *
     * @param maps for each object of the layout where its bytes lie
     * @throws java.nio.file.NoSuchFileException when the store lacks a piece
     */
    static void write(Path pack, PartialLayout layout, Map<Digest, PieceMap> maps, ObjectStore store)
            throws IOException {
        try (FileChannel out = FileChannel.open(
                        pack, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE);
                PackFile file = new PackFile(store, out)) {
            for (PackExtent extent : layout.extents()) {
                file.copy(extent, Objects.requireNonNull(maps.get(extent.object())));
            }
            long missing = layout.packBytes() - out.size();
            if (missing > 0) {
                // The last block to its end.
                out.write(ByteBuffer.allocate((int) missing), out.size());
            }
        }
    }

    private void copy(PackExtent extent, PieceMap map) throws IOException {
        for (PieceMap.Part part : map.parts(extent.offset(), extent.length())) {
            FileChannel content = open(part.piece());
            out.position(extent.packOffset() + part.offset() - extent.offset());
            for (long done = 0; done < part.length(); ) {
                long copied = content.transferTo(part.pieceOffset() + done, part.length() - done, out);
                if (copied <= 0) {
                    throw new EOFException("piece " + part.piece() + " is shorter than its plan says");
                }
                done += copied;
            }
        }
    }

    private FileChannel open(Digest wanted) throws IOException {
        FileChannel open = in;
        if (open != null && wanted.equals(piece)) {
            return open;
        }
        close();
        open = store.open(wanted);
        in = open;
        piece = wanted;
        return open;
    }

    @Override
    public void close() throws IOException {
        FileChannel open = in;
        in = null;
        if (open != null) {
            open.close();
        }
    }
}
