package io.faasimage.builder.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BuildLeftoversTest {
    @Test
    void whatCannotBeRemovedIsAnEventWithTheRemedyAndTheOthersAreRemoved() {
        List<String> events = new ArrayList<>();
        IOException first = new FileSystemException("/d/builds/code/a", null, "Operation not permitted");
        first.addSuppressed(new FileSystemException("/d/builds/code/b", null, "Device or resource busy"));
        new BuildLeftovers(
                        List.of(
                                () -> {
                                    throw first;
                                },
                                () -> {
                                    throw new UncheckedIOException(new IOException("/d/builds/work: unreadable"));
                                },
                                () -> events.add("removed")),
                        events::add)
                .remove();
        assertThat(events).hasSize(3).last().isEqualTo("removed");
        assertThat(events.get(0))
                .contains("/d/builds/code/a: Operation not permitted", "/d/builds/code/b: Device or resource busy")
                .contains("chattr -R -i", "findmnt");
        assertThat(events.get(1)).contains("/d/builds/work: unreadable");
    }

    @Test
    void aServiceThatDoesNotTakeTheEventHindersNothing() {
        List<String> removed = new ArrayList<>();
        new BuildLeftovers(
                        List.of(
                                () -> {
                                    throw new IOException("/d/builds/code/a");
                                },
                                () -> removed.add("second")),
                        _ -> {
                            throw new IOException("down");
                        })
                .remove();
        assertThat(removed).containsExactly("second");
    }
}
