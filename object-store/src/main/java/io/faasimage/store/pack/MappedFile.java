package io.faasimage.store.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that are mapped. Stateless. */
final class MappedFile {
    private MappedFile() {}

    /** Maps a file that does not change, for reading. */
    static MappedByteBuffer read(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            return file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
        }
    }

    /**
     * Maps a file for writing, which is made when it is not there. All of it is written first: a store into a page for
     * which a full disk has no block ends the thread.
     */
    static MappedByteBuffer of(Path path, int size) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate((int) Math.max(0, size - file.size()));
            while (zeros.hasRemaining()) {
                file.write(zeros, file.size());
            }
            return file.map(FileChannel.MapMode.READ_WRITE, 0, size);
        }
    }
}
