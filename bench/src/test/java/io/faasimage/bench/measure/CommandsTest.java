package io.faasimage.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CommandsTest {
    private final Commands commands = new Commands(Duration.ofSeconds(20));

    @Test
    void fillsInTheValues() {
        assertThat(Commands.fill(List.of("run", "{image}", "PORT={port}", "{id"), Map.of("image", "a:1", "port", "80")))
                .containsExactly("run", "a:1", "PORT=80", "{id");
    }

    @Test
    void givesTheOutput() throws Exception {
        assertThat(commands.run(List.of("echo", "out"))).isEqualTo("out\n");
    }

    @Test
    void aFailureNamesCommandStatusAndWhatItSaid() {
        assertThatThrownBy(() -> commands.run(List.of("sh", "-c", "echo reason >&2; exit 3")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("status 3")
                .hasMessageContaining("reason");
    }

    @Test
    void endsACommandThatTakesTooLong() {
        assertThatThrownBy(() -> new Commands(Duration.ofMillis(100)).run(List.of("sleep", "60")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not end");
    }
}
