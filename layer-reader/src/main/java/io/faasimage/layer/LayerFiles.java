package io.faasimage.layer;

import io.faasimage.layer.LayerException.Kind;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The contents of the regular files of a layer, in the order in which the layer has them. Stateless. */
public final class LayerFiles {
    private static final int BUFFER_BYTES = 128 << 10;

    private LayerFiles() {}

    /** A receiver of files. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Receives a file that is not empty.
         *
         * @param size in bytes
         * @param content may be read to its end, or not
         * @return false when the layer need not be read on
         */
        boolean file(long size, InputStream content) throws IOException;
    }

    /**
     * Reads a layer.
     *
     * @param blob as the registry has it: plain, gzip or zstd; not closed, and not read to its end
     * @param name of the layer, for errors
     * @param most bytes that it may have uncompressed
     * @return whether it was read to its end, and not ended by the visitor
     * @throws LayerException when it is no layer, or has larger headers than a layer needs
     * @throws IOException unchanged from {@code blob} and {@code visitor}
     */
    public static boolean read(InputStream blob, String name, long most, Visitor visitor) throws IOException {
        try (Decompressed plain = Decompressed.of(new Open(blob), name);
                TarArchiveInputStream tar = new TarArchiveInputStream(
                        new PaxTap(new BufferedInputStream(new Bounded(plain, name, most), BUFFER_BYTES)),
                        StandardCharsets.ISO_8859_1.name())) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                long size = entry.isSparse() ? entry.getRealSize() : entry.getSize();
                if (isFile(entry) && size > 0 && !visitor.file(size, tar)) {
                    return false;
                }
            }
            return true;
        } catch (IllegalArgumentException e) {
            throw new LayerException(Kind.INVALID, name + " is no layer: " + e.getMessage(), e);
        }
    }

    /** A stream that stays open. */
    private static final class Open extends FilterInputStream {
        Open(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // The caller's.
        }
    }

    /** A stream that fails at its limit. */
    private static final class Bounded extends ReadThroughStream {
        private final String name;
        private final long most;
        private long read;

        Bounded(InputStream in, String name, long most) {
            super(in);
            this.name = name;
            this.most = most;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            read += Math.max(0, n);
            if (read > most) {
                throw new LayerException(Kind.LIMIT, name + " has more than " + most + " bytes uncompressed");
            }
            return n;
        }
    }

    private static boolean isFile(TarArchiveEntry entry) {
        return switch (entry.getLinkFlag()) {
            case 0, '0', '7', 'S' -> !entry.isDirectory();
            default -> false;
        };
    }
}
