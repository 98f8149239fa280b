package io.faasimage.closure.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A parser of one file. Its result depends on the file's content and on the parser's own parameters alone, is never
 * changed, and may be shared by threads; equal parsers have equal results. So an analysis may use an earlier one's.
 *
 * @param <T> the result
 */
@FunctionalInterface
public interface ContentParser<T> {
    /** The text of a source, one char per byte. */
    ContentParser<String> TEXT = ContentParser::text;

    /** Parses a content. */
    T parse(Content content) throws IOException;

    /** About the memory of {@code result}, in bytes, for which {@code read} bytes were read. */
    default long weight(T result, long read) {
        return read;
    }

    /** A parser of sources, from the text with one char per byte. */
    static <T> ContentParser<T> ofText(Function<String, T> parse) {
        return new ContentParser<>() {
            @Override
            public T parse(Content content) throws IOException {
                return parse.apply(text(content));
            }

            // A short string takes some hundred bytes.
            @Override
            public long weight(T result, long read) {
                return 10 * read;
            }
        };
    }

    private static String text(Content content) throws IOException {
        return new String(content.head(Math.toIntExact(content.size())), StandardCharsets.ISO_8859_1);
    }
}
