package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The reference of the services' settings, generated from their sources: names, types and defaults of the settings'
 * records, and the Javadoc of their parameters. {@code -Dfaasimage.reference=write} writes it.
 */
final class ConfigurationReferenceTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path REFERENCE = ROOT.resolve("docs/operations/configuration.md");
    private static final String HEAD = """
            # Settings of the services

            Made of the sources by
            `mvn -f src/test/pom.xml test -Dtest=ConfigurationReferenceTest -Dfaasimage.reference=write`; a test
            compares it with them.

            Each is given as `--NAME=VALUE` on the command line, in a file
            (`--spring.config.import=file:/etc/faasimage/service.properties`), or in the environment, in capitals
            with underscores: `FAASIMAGE_REGISTRY_CA`. Times are written as `10m`, sizes as `100MB`. Of Spring
            Boot's own settings, `server.address` and `server.port` are those that are wanted most. The options of
            `faasimage-node` are in its `--help`, those of the command in the `--help` of each.
            """;

    @Test
    void theReferenceSaysWhatTheSourcesSay() throws IOException {
        String now = HEAD + section("registry-service") + section("faas-adapter");
        if ("write".equals(System.getProperty("faasimage.reference"))) {
            Files.writeString(REFERENCE, now);
        }
        assertThat(Files.readString(REFERENCE)).isEqualTo(now);
    }

    private static String section(String module) throws IOException {
        Path metadata = ROOT.resolve(module).resolve("target/classes/META-INF/spring-configuration-metadata.json");
        List<JsonNode> properties = new ArrayList<>();
        Json.mapper().readTree(Files.readString(metadata)).path("properties").forEach(properties::add);
        assertThat(properties).isNotEmpty();
        properties.sort(Comparator.comparing(property -> property.path("name").asString()));
        StringBuilder text = new StringBuilder(
                "\n## " + module + "\n\n| setting | type | default | is |\n| --- | --- | --- | --- |\n");
        for (JsonNode property : properties) {
            String name = property.path("name").asString();
            assertThat(property.path("description").asString())
                    .as("description of " + name)
                    .isNotBlank();
            text.append("| `")
                    .append(name)
                    .append("` | ")
                    .append(type(property))
                    .append(" | ");
            text.append(defaultValue(property)).append(" | ");
            text.append(description(property)).append(" |\n");
        }
        return text.toString();
    }

    /** In Markdown: code is between backticks, and a line between pipes. */
    private static String description(JsonNode property) {
        return property.path("description")
                .asString()
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replace("|", "\\|");
    }

    private static String type(JsonNode property) {
        String type = property.path("type").asString().replaceAll("[a-z]+\\.", "");
        return switch (type) {
            case "Integer", "Long", "Double" -> "number";
            case "Boolean" -> "true or false";
            case "Duration" -> "time";
            case "DataSize" -> "size";
            case "String" -> "text";
            default -> {
                if (type.startsWith("Map")) {
                    yield "names and values";
                }
                boolean several = type.startsWith("List") || type.startsWith("Set");
                yield several ? "list, by commas" : type.toLowerCase(Locale.ROOT);
            }
        };
    }

    private static String defaultValue(JsonNode property) {
        String value = property.path("defaultValue").asString("");
        return value.isEmpty() ? "" : "`" + value + "`";
    }
}
