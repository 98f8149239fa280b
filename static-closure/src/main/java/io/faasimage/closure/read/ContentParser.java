package io.faasimage.closure.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A parser of one file.
 *
 * @param <T> the result
 */
@FunctionalInterface
public interface ContentParser<T> {
    /** The text of a source, one char per byte. */
    ContentParser<String> TEXT = ContentParser::text;

    /** Parses a content. */
    T parse(Content content) throws IOException;

    /** A parser of sources, from the text with one char per byte. */
    static <T> ContentParser<T> ofText(Function<String, T> parse) {
        return content -> parse.apply(text(content));
    }

    private static String text(Content content) throws IOException {
        return new String(content.head(Math.toIntExact(content.size())), StandardCharsets.ISO_8859_1);
    }
}
