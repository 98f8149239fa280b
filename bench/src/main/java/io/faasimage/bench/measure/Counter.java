package io.faasimage.bench.measure;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A number in the JSON that a command prints.
 *
 * @param command to run
 * @param pointer JSON pointer of the number
 */
public record Counter(List<String> command, String pointer) {
    public Counter {
        command = List.copyOf(command);
    }

    /**
     * The number now.
     *
     * @throws IOException when the command fails or prints no number there
     */
    public long read(Commands commands) throws IOException, InterruptedException {
        JsonNode value = Json.mapper().readTree(commands.run(command)).at(pointer);
        if (!value.isNumber()) {
            throw new IOException("'%s' prints no number at %s".formatted(String.join(" ", command), pointer));
        }
        return value.asLong();
    }
}
