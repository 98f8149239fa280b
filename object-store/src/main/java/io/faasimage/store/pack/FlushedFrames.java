package io.faasimage.store.pack;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** The note of the frames of a pack that are on the disk, whatever happens to the machine. Thread-safe. */
final class FlushedFrames {
    private final Path note;

    /** Those that are noted in {@code note}, or none. */
    FlushedFrames(Path note) {
        this.note = note;
    }

    /** All of them. */
    synchronized BitSet all() throws IOException {
        return Files.exists(note) ? BitSet.valueOf(Files.readAllBytes(note)) : new BitSet();
    }

    /** Flushes {@code data}, and notes the frames that are in it now. */
    synchronized void flush(FileChannel data, PresentFrames present) throws IOException {
        BitSet flushed = present.all();
        data.force(false);
        AtomicFile.publishSynced(note, out -> out.write(flushed.toByteArray()));
    }

    /** Takes the note away where it names frames that are missing; returns whether it did. */
    synchronized boolean forgetMissing(PresentFrames present) throws IOException {
        BitSet gone = all();
        gone.andNot(present.all());
        if (gone.isEmpty()) {
            return false;
        }
        Files.delete(note);
        return true;
    }
}
