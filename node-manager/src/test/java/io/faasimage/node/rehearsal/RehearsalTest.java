package io.faasimage.node.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RehearsalTest {
    @TempDir
    private Path root;

    private final Events events = new Events(10, InstantSource.system());

    @Test
    void pullsAndLeavesNothing() throws Exception {
        Path directory = root.resolve("rehearsal");
        Files.createDirectories(directory.resolve("left/behind"));
        new Rehearsal(directory, events, () -> true).run();
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
        new Rehearsal(root.resolve("rehearsal"), events, () -> asked.incrementAndGet() < 3).run();
        assertThat(events.recent())
                .singleElement()
                .extracting(Event::text)
                .asString()
                .startsWith("1 made-up starts");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNoHarm() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "in the way");
        new Rehearsal(file.resolve("rehearsal"), events, () -> true).run();
        assertThat(events.recent()).first().extracting(Event::text).asString().contains("ended early");
    }
}
