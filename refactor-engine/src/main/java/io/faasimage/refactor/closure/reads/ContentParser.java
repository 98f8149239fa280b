package io.faasimage.refactor.closure.reads;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A parser of one file. What it makes depends on the file's content and on the parser's own parameters alone, is never
 * changed, and may be shared by threads; equal parsers make the same. So an analysis may use what an earlier one made.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface ContentParser<T> {
    /** The text of a source, one char per byte. */
    ContentParser<String> TEXT =
            content -> new String(content.head(Math.toIntExact(content.size())), StandardCharsets.ISO_8859_1);

    /**
     * A parser of sources.
     *
     * @param parse makes something of the text, one char per byte
     * @param weight how much memory that takes; about
     */
    static <T> ContentParser<T> ofText(Function<String, T> parse, ToLongFunction<T> weight) {
        return new ContentParser<>() {
            @Override
            public T parse(Content content) throws IOException {
                return parse.apply(TEXT.parse(content));
            }

            @Override
            public long weight(T result, long read) {
                return weight.applyAsLong(result);
            }
        };
    }

    /** Parses a content. */
    T parse(Content content) throws IOException;

    /** How much memory {@code result} takes, for which {@code read} bytes were read; about. */
    default long weight(T result, long read) {
        return read;
    }

    /** The content of a file. It may seem to end early, where the analysis has read as much as it may. */
    interface Content {
        /** Its length in bytes. */
        long size();

        /** The bytes from the beginning; may be called again. */
        InputStream open() throws IOException;

        /** The first bytes; fewer when it is shorter. */
        default byte[] head(int length) throws IOException {
            try (InputStream in = open()) {
                return in.readNBytes(length);
            }
        }
    }
}
