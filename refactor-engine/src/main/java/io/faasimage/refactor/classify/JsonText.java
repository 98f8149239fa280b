package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A reader of JSON files of a root file system, which warns of a file that is not JSON. */
final class JsonText {
    private static final JsonMapper JSON = new JsonMapper();

    private JsonText() {}

    static Optional<JsonNode> read(RootFiles root, FilePath file) throws IOException {
        Optional<String> text = root.textOf(file);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(text.get()));
        } catch (JacksonException e) {
            root.warn(file + " is not JSON; the files beside it count as the function's");
            return Optional.empty();
        }
    }
}
