package io.faasimage.node.link.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExpeditedRcuTest {
    private static final StartEvent START = new StartEvent.Requested("key", List.of(), Optional.empty());
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    private Path control;
    private Path before;

    @BeforeEach
    void machine() throws IOException {
        control = Files.writeString(directory.resolve("rcu_expedited"), "0\n");
        before = directory.resolve("before");
    }

    @Test
    void itIsOnFromTheRequestForAContainerToSomeTimeLater() throws IOException {
        try (ExpeditedRcu rcu = new ExpeditedRcu(StartEvents.NONE, control, before, Duration.ofMillis(50))) {
            rcu.accept(new StartEvent.MayStart("key"));
            assertThat(control).hasContent("0");
            rcu.accept(START);
            rcu.accept(START);
            awaitOff();
            rcu.accept(START);
            awaitOff();
        }
        assertThat(before).doesNotExist();
    }

    private void awaitOff() throws IOException {
        Wait.until("expedited RCU to be off", () -> !Files.exists(before));
        assertThat(control).hasContent("0");
    }

    @Test
    void theEndOfTheAgentPutsItBack() throws IOException {
        try (ExpeditedRcu rcu = new ExpeditedRcu(StartEvents.NONE, control, before, LONG)) {
            rcu.accept(START);
            assertThat(control).hasContent("1");
        }
        assertThat(control).hasContent("0");
    }

    @Test
    void anAgentThatWasKilledIsPutRightByTheNextOne() throws IOException {
        ExpeditedRcu killed = new ExpeditedRcu(StartEvents.NONE, control, before, LONG);
        killed.accept(START);
        try (ExpeditedRcu next = new ExpeditedRcu(StartEvents.NONE, control, before, LONG)) {
            assertThat(control).hasContent("0");
            next.accept(START);
            assertThat(control).hasContent("1");
        }
        assertThat(control).hasContent("0");
        killed.close();
    }

    @Test
    void whatTheOperatorTurnedOnStaysOn() throws IOException {
        Files.writeString(control, "1\n");
        try (ExpeditedRcu rcu = new ExpeditedRcu(StartEvents.NONE, control, before, LONG)) {
            rcu.accept(START);
        }
        assertThat(control).hasContent("1");
    }

    @Test
    void isolatedProcessorsRefuseIt() throws IOException {
        Path processors = Files.createDirectories(directory.resolve("devices/system/cpu"));
        Files.writeString(processors.resolve("isolated"), "2-3\n");
        assertThatThrownBy(() -> ExpeditedRcu.of(StartEvents.NONE, directory, directory))
                .hasMessageContaining("2-3")
                .hasMessageContaining("--expedite-rcu");
    }

    @Test
    void aKernelWithoutTheSwitchRefusesIt() {
        assertThatThrownBy(() -> ExpeditedRcu.of(StartEvents.NONE, directory, directory))
                .hasMessageContaining("cannot be written");
    }
}
