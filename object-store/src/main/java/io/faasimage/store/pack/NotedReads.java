package io.faasimage.store.pack;

import io.faasimage.linux.ReadGuard.Question;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Notes, in a mapped file, of the reads that wait: the next process answers those that this one has not. Thread-safe.
 */
final class NotedReads {
    private static final int SLOTS = 16_384;
    private static final int SLOT_BYTES = 32;
    /** Of a slot: one more than the descriptor, 0 for a free one; inode, offset, count. */
    private static final int INODE = 8;

    private static final int OFFSET = 16;
    private static final int COUNT = 24;

    private final MappedByteBuffer slots;
    private final Map<Question, Integer> taken = new HashMap<>();
    private int next;

    NotedReads(Path path) throws IOException {
        slots = MappedFile.of(path, SLOTS * SLOT_BYTES);
    }

    /** Forgets all notes, and returns them. */
    synchronized List<Question> take() {
        List<Question> noted = new ArrayList<>();
        for (int at = 0; at < slots.capacity(); at += SLOT_BYTES) {
            long fd = slots.getLong(at);
            if (fd > 0) {
                noted.add(new Question(
                        (int) fd - 1,
                        0,
                        slots.getLong(at + INODE),
                        slots.getLong(at + OFFSET),
                        slots.getLong(at + COUNT)));
                slots.putLong(at, 0);
            }
        }
        return noted;
    }

    /** Notes a read; more than there are slots are answered, but not noted. */
    synchronized void add(Question question) {
        for (int tried = 0; tried < SLOTS; tried++) {
            int at = next * SLOT_BYTES;
            int slot = next;
            next = (next + 1) % SLOTS;
            if (slots.getLong(at) == 0) {
                slots.putLong(at + INODE, question.inode());
                slots.putLong(at + OFFSET, question.offset());
                slots.putLong(at + COUNT, question.count());
                slots.putLong(at, question.fd() + 1L);
                taken.put(question, slot);
                return;
            }
        }
    }

    /** The read gets its answer. */
    synchronized void remove(Question question) {
        Integer slot = taken.remove(question);
        if (slot != null) {
            slots.putLong(slot * SLOT_BYTES, 0);
        }
    }
}
