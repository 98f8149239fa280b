package io.faasimage.node.plan;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings that the functions of an image request; empty where they leave it to the node.
 *
 * @param start when containers start
 * @param fill what happens to the rest of the image
 */
public record PlanSettings(Optional<StartMode> start, Optional<FillMode> fill) {
    static final PlanSettings NONE = new PlanSettings(Optional.empty(), Optional.empty());

    /** As lines of text. */
    String text() {
        return Stream.concat(
                        start.map(mode -> "start " + mode.label()).stream(),
                        fill.map(mode -> "fill " + mode.label()).stream())
                .map(line -> line + "\n")
                .reduce("", String::concat);
    }

    /**
     * From lines of text.
     *
     * @throws IllegalArgumentException when a value is none
     */
    static PlanSettings parse(String text) {
        return new PlanSettings(
                value(text, "start ").map(StartMode::parse),
                value(text, "fill ").map(FillMode::parse));
    }

    private static Optional<String> value(String text, String name) {
        return Arrays.stream(text.split("\n", -1))
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst();
    }
}
