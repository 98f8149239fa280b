package io.faasimage.node.plans.plan;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The service's settings of a plan, besides its content: those that the functions of its image request, empty where
 * they leave the choice to the node, and whether it is predicted.
 *
 * @param start when containers start
 * @param fill whether the rest of the image is pulled after its start
 * @param predicted whether no start of the image was traced yet when the plan was made
 */
public record PlanSettings(Optional<StartMode> start, Optional<FillMode> fill, boolean predicted) {
    private static final String PREDICTED = "predicted";

    static final PlanSettings NONE = new PlanSettings(Optional.empty(), Optional.empty(), false);

    /** As lines of text. */
    String text() {
        return Stream.of(
                        start.map(mode -> "start " + mode.label()),
                        fill.map(mode -> "fill " + mode.label()),
                        Optional.of(PREDICTED).filter(_ -> predicted))
                .flatMap(Optional::stream)
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
                value(text, "fill ").map(FillMode::parse),
                text.lines().anyMatch(PREDICTED::equals));
    }

    private static Optional<String> value(String text, String name) {
        return Arrays.stream(text.split("\n", -1))
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst();
    }
}
