package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** {@code faasimage image sbom IMAGE}. */
public final class SbomCommand extends ServiceCommand {
    private final Argument<String> image = arguments.parameter("IMAGE", "Digest, reference or function name.");
    private final Argument<Path> file =
            arguments.option("--file", "FILE", "Write the document into this file.", Path::of);
    private final Argument<Boolean> unread =
            arguments.flag("--unread", "List only the packages that no traced start has read.");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        byte[] document = registry.sbom(
                Digest.parse(Connections.image(registry, image.get()).digest()));
        if (file.orNull() != null) {
            Files.write(file.orNull(), document);
        }
        JsonNode parsed = Json.mapper().readTree(document);
        output.show(parsed, screen -> {
            if (file.orNull() == null) {
                describe(parsed, screen);
            } else {
                screen.out().println("wrote " + file.orNull());
            }
        });
    }

    private void describe(JsonNode document, Screen screen) {
        JsonNode properties = document.path("metadata").path("properties");
        screen.out()
                .println("%s packages, %s of them read by %s traced start(s)"
                        .formatted(
                                property(properties, "packages"),
                                property(properties, "packages_loaded_at_start"),
                                property(properties, "traced_starts")));
        Table table = new Table("PACKAGE", "VERSION", "TYPE", ">READ", ">OF", ">FILES", ">STARTS");
        packages(document)
                .forEach(each -> table.row(
                        Printable.line(each.path("name").asString("")),
                        Printable.line(each.path("version").asString("")),
                        type(each),
                        Output.bytes(number(each, "bytes_read_at_start")),
                        Output.bytes(number(each, "bytes")),
                        Long.toString(number(each, "files_read_at_start")),
                        Long.toString(number(each, "starts_that_read_it"))));
        table.print(screen);
    }

    private List<JsonNode> packages(JsonNode document) {
        return StreamSupport.stream(document.path("components").spliterator(), false)
                .filter(each -> !unread.get() || number(each, "starts_that_read_it") == 0)
                .sorted(Comparator.comparingLong((JsonNode each) -> number(each, "bytes_read_at_start"))
                        .thenComparingLong(each -> number(each, "bytes"))
                        .reversed())
                .collect(Collectors.toList());
    }

    /** Of {@code pkg:deb/debian/curl@7}: {@code deb}. */
    private static String type(JsonNode component) {
        return component.path("purl").asString("").replaceFirst("^pkg:", "").replaceFirst("/.*", "");
    }

    private static long number(JsonNode component, String name) {
        String value = property(component.path("properties"), name);
        return value.isEmpty() ? 0 : Long.parseLong(value);
    }

    private static String property(JsonNode properties, String name) {
        return StreamSupport.stream(properties.spliterator(), false)
                .filter(each -> each.path("name").asString("").equals("faasimage:" + name))
                .map(each -> each.path("value").asString(""))
                .findFirst()
                .orElse("");
    }
}
