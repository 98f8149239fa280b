package io.faasimage.refactor.closure.runtime;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A reader of JSON files of an image. */
public final class JsonText {
    private static final JsonMapper JSON = new JsonMapper();

    private JsonText() {}

    /** The document; absent when it is too long or not JSON. */
    public static Optional<JsonNode> read(Reads reads, ImageEntry.File file) throws IOException {
        Optional<String> text = reads.text(file);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(text.get().getBytes(StandardCharsets.ISO_8859_1)));
        } catch (JacksonException e) {
            reads.note(file.path() + " is not JSON");
            return Optional.empty();
        }
    }
}
