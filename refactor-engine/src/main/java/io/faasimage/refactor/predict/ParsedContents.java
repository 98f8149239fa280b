package io.faasimage.refactor.predict;

import io.faasimage.closure.read.ContentParser;
import io.faasimage.closure.read.ImageFiles.Parsed;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.SoftCache;
import java.util.Optional;

/**
 * A bounded cache of parsed contents. The next version of a function has nearly all files of the one before, and most
 * of an analysis is parsing them. Thread-safe.
 */
public final class ParsedContents {
    private final SoftCache<Key, Parsed<?>> cache;
    private final boolean keepsAny;

    private record Key(Digest content, ContentParser<?> parser) {}

    /** An empty cache of about so many bytes; of 0 bytes, one that stays empty. */
    public ParsedContents(long most) {
        this.cache = new SoftCache<>(most);
        this.keepsAny = most > 0;
    }

    /** Whether there is room for anything. */
    boolean keepsAny() {
        return keepsAny;
    }

    /** The parser's result for the content, if it is cached. */
    <T> Optional<Parsed<T>> find(Digest content, ContentParser<T> parser) {
        // Equal parsers make results of one type.
        @SuppressWarnings("unchecked")
        Optional<Parsed<T>> parsed = (Optional<Parsed<T>>) (Optional<?>) cache.find(new Key(content, parser));
        return parsed;
    }

    /** Caches the parser's result for the whole content, whose bytes have this digest. */
    <T> void add(Digest content, ContentParser<T> parser, Parsed<T> parsed) {
        cache.add(new Key(content, parser), parsed, parser.weight(parsed.result(), parsed.read()));
    }

    /** About the bytes of the results, including those that were dropped without being looked up since. */
    public long weight() {
        return cache.weight();
    }
}
