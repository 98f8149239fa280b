package io.faasimage.refactor.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.fault.RefactorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @Test
    void leavesNothing() throws Exception {
        WarmUp.run(EngineConfig.defaults(temp.resolve("work")), temp.resolve("out"));
        assertThat(files()).isEmpty();
    }

    @Test
    void endsWhenItIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> WarmUp.run(EngineConfig.defaults(temp.resolve("work")), temp.resolve("out")))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(files()).isEmpty();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(temp)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
