package io.faasimage.api.control;

import io.faasimage.api.control.codec.Codec;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Lines of JSON, of bounded length, by the streaming parser. */
final class JsonLines {
    private static final int MAX_LINE_BYTES = 16 * 1024 * 1024;
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonLines() {}

    /**
     * The next line without its end, byte by byte buffered by the caller's stream.
     *
     * @throws EOFException when the stream ends before a line does
     * @throws IOException when the line is longer than 16 MiB
     */
    static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended in the middle of a message");
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("a message is longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(b);
        }
        return line.toByteArray();
    }

    /** A parser at the first token of a line. */
    static JsonParser parse(byte[] line) {
        JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), line);
        parser.nextToken();
        return parser;
    }

    /** A line with its end: an object with these fields. */
    static byte[] object(Consumer<JsonGenerator> fields) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), line)) {
            out.writeStartObject();
            fields.accept(out);
            out.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }

    /** A line with its end: an object with one field. */
    static <T> byte[] field(String name, Codec<T> codec, T value) {
        return object(out -> {
            out.writeName(name);
            codec.write(value, out);
        });
    }
}
