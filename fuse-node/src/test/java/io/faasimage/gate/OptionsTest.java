package io.faasimage.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.faasimage.gate.fetch.FetchLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OptionsTest {
    private static final List<String> NEEDED =
            List.of("--store", "/s", "--mount", "/m", "--registry", "http://127.0.0.1:1", "--control", "/c");

    @TempDir
    Path directory;

    @Test
    void defaults() throws IOException {
        GateConfig config = Options.parse(NEEDED);
        assertThat(config.limits()).isEqualTo(FetchLimits.DEFAULT);
        assertThat(config.token().get()).isEmpty();
        assertThat(config.store()).isEqualTo(Path.of("/s"));
    }

    @Test
    void everything() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        GateConfig config = parse(
                "--fetch-timeout",
                "500ms",
                "--fetch-cap",
                "90s",
                "--attempts",
                "2",
                "--concurrent",
                "3",
                "--waiting",
                "5",
                "--token-file",
                token.toString());
        assertThat(config.limits().stall()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.limits().cap()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.limits().attempts()).isEqualTo(2);
        assertThat(config.limits().concurrent()).isEqualTo(3);
        assertThat(config.limits().waiting()).isEqualTo(5);
        assertThat(config.token().get()).contains("secret");
        assertThat(config.toString()).doesNotContain("secret");
    }

    @Test
    void severalAddresses() throws IOException {
        List<String> two = new ArrayList<>(NEEDED);
        two.set(two.indexOf("http://127.0.0.1:1"), "http://127.0.0.1:1,http://127.0.0.1:2");
        assertThat(Options.parse(two).registry())
                .containsExactly(URI.create("http://127.0.0.1:1"), URI.create("http://127.0.0.1:2"));
    }

    @Test
    void theLastOfSeveralValuesCounts() throws IOException {
        assertThat(parse("--fetch-timeout", "5s", "--fetch-timeout=7s").limits().stall())
                .isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void mistakesAreNamed() {
        assertMistake("--colour", "unknown option '--colour'", "red");
        assertMistake("--attempts", "--attempts must be 1 to 1000000, not '0'", "0");
        assertMistake("--attempts", "--attempts must be 1 to 1000000, not 'many'", "many");
        assertMistake("--fetch-timeout", "not a time", "soon");
        assertMistake("--fetch-timeout", "must be positive", "-1s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--store", "/s")))
                .withMessageContaining("is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--attempts"))
                .withMessageContaining("needs a value");
        assertThatIOException()
                .isThrownBy(
                        () -> parse("--token-file", directory.resolve("absent").toString()));
    }

    private static void assertMistake(String option, String message, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(option, value))
                .withMessageContaining(message);
    }

    private static GateConfig parse(String... more) throws IOException {
        List<String> all = new ArrayList<>(NEEDED);
        all.addAll(List.of(more));
        return Options.parse(all);
    }
}
