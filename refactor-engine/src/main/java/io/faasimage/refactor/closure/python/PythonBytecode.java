package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * The compiled form of a source, which Python reads instead when it is valid: of the source's time and size, or
 * declared valid, or of the source's hash, for which the source is read, too.
 *
 * @see <a href="https://peps.python.org/pep-0552/">PEP 552</a>
 */
final class PythonBytecode {
    private static final int HEADER_BYTES = 16;
    private static final int HASHED = 1;
    private static final int CHECKED = 2;

    private static final ContentParser<byte[]> HEADER = content -> content.head(HEADER_BYTES);

    private PythonBytecode() {}

    /** The files that an import of a source reads which was found in {@code directory}. */
    static List<ImageEntry.File> reads(Reads reads, ImageEntry.File source, String directory, int minor)
            throws IOException {
        String stem = source.path().name().replaceFirst("\\.py$", "");
        Optional<ImageEntry.File> compiled =
                reads.files().file(directory + "/__pycache__/" + stem + ".cpython-3" + minor + ".pyc");
        if (compiled.isEmpty()) {
            return List.of(source);
        }
        byte[] head = reads.parse(compiled.get(), HEADER);
        if (head.length < HEADER_BYTES) {
            return List.of(source);
        }
        ByteBuffer header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int flags = header.getInt(4);
        if ((flags & HASHED) != 0) {
            return (flags & CHECKED) == 0 ? List.of(compiled.get()) : List.of(compiled.get(), source);
        }
        boolean valid = header.getInt(8) == (int) source.modified() && header.getInt(12) == (int) source.size();
        return valid ? List.of(compiled.get()) : List.of(compiled.get(), source);
    }
}
