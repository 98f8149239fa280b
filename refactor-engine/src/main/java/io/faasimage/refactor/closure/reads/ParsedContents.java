package io.faasimage.refactor.closure.reads;

import io.faasimage.format.id.Digest;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A bounded cache of what parsers made of contents. The next version of a function has nearly all files of the one
 * before, and most of an analysis is parsing them. Least recently used first out; what else needs memory comes first:
 * results go when the heap becomes scarce. Thread-safe.
 */
public final class ParsedContents {
    /** Of an entry itself. */
    private static final long ENTRY_BYTES = 256;

    private final long most;
    /** The one that was used last comes last. */
    private final SequencedMap<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long weight;

    private record Key(Digest content, ContentParser<?> parser) {}

    private record Entry(SoftReference<Object> result, long read, long weight) {}

    /**
     * A result.
     *
     * @param read bytes that the parser read of the content; the limits of an analysis count them again
     */
    record Parsed<T>(T result, long read) {}

    /** An empty cache of about so many bytes; of 0 bytes, one that stays empty. */
    public ParsedContents(long most) {
        this.most = most;
    }

    /** What the parser made of the content, if it is cached. */
    synchronized <T> Optional<Parsed<T>> find(Digest content, ContentParser<T> parser) {
        Entry entry = entries.get(new Key(content, parser));
        Object result = entry == null ? null : entry.result.get();
        if (entry == null || result == null) {
            return Optional.empty();
        }
        // Equal parsers make results of one type.
        @SuppressWarnings("unchecked")
        T made = (T) result;
        return Optional.of(new Parsed<>(made, entry.read));
    }

    /** Caches what the parser made of all of the content, whose bytes have this digest. */
    synchronized <T> void add(Digest content, ContentParser<T> parser, Parsed<T> parsed) {
        long size = ENTRY_BYTES + parser.weight(parsed.result, parsed.read);
        if (size > most) {
            return;
        }
        Entry before =
                entries.put(new Key(content, parser), new Entry(new SoftReference<>(parsed.result), parsed.read, size));
        weight += size - (before == null ? 0 : before.weight);
        while (weight > most) {
            weight -= Objects.requireNonNull(entries.pollFirstEntry()).getValue().weight;
        }
    }

    /** About how many bytes the results take, those included that have gone with the heap. */
    public synchronized long weight() {
        return weight;
    }
}
