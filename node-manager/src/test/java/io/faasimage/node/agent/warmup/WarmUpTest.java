package io.faasimage.node.agent.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    @TempDir
    private Path root;

    private final Events events = new Events(10, InstantSource.system());

    @Test
    void pullsAndLeavesNothing() throws Exception {
        Path directory = root.resolve("warm-up");
        Files.createDirectories(directory.resolve("left/behind"));
        new WarmUp(directory, Optional.empty(), events, () -> true, () -> {}).run();
        assertThat(events.recent())
                .singleElement()
                .extracting(Event::text)
                .asString()
                .startsWith("4 made-up starts");
        assertThat(directory).doesNotExist();
    }

    @Test
    void endsWhenRealWorkBegins() {
        AtomicInteger asked = new AtomicInteger();
        new WarmUp(root.resolve("warm-up"), Optional.empty(), events, () -> asked.incrementAndGet() < 3, () -> {})
                .run();
        assertThat(events.recent())
                .singleElement()
                .extracting(Event::text)
                .asString()
                .startsWith("1 made-up starts");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNoHarm() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "in the way");
        new WarmUp(file.resolve("warm-up"), Optional.empty(), events, () -> true, () -> {}).run();
        assertThat(events.recent()).first().extracting(Event::text).asString().contains("ended early");
    }
}
