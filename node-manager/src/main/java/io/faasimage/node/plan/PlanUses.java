package io.faasimage.node.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When the plans of this node were used: {@code plans/<hex>.uses} has the newest starts, a line of milliseconds since 1970
 * each, and is as old as the last use of any kind. Written by {@link #flush}, so that no start waits. Thread-safe.
 */
public final class PlanUses {
    private static final int MOST_STARTS = 16;

    private final Path directory;
    private final InstantSource clock;
    private final Events events;
    private final Map<Digest, Uses> known = new ConcurrentHashMap<>();
    private final Set<Digest> unsaved = ConcurrentHashMap.newKeySet();

    /**
     * The uses of one plan.
     *
     * @param last of any kind; {@link Instant#EPOCH} when it never was
     * @param starts of containers, the oldest first
     */
    private record Uses(Instant last, List<Instant> starts) {
        static final Uses NONE = new Uses(Instant.EPOCH, List.of());

        Uses {
            starts = List.copyOf(starts);
        }

        Uses touched(Instant now) {
            return new Uses(now, starts);
        }

        Uses started(Instant now) {
            List<Instant> all = new ArrayList<>(starts.subList(starts.size() == MOST_STARTS ? 1 : 0, starts.size()));
            all.add(now);
            return new Uses(now, all);
        }
    }

    PlanUses(Path directory, Events events, InstantSource clock) {
        this.directory = directory;
        this.events = events;
        this.clock = clock;
    }

    /** It was asked for or pulled. */
    void touched(Digest plan) {
        known.compute(plan, (_, uses) -> (uses == null ? read(plan) : uses).touched(clock.instant()));
        unsaved.add(plan);
    }

    /** A container starts. */
    void started(Digest plan) {
        known.compute(plan, (_, uses) -> (uses == null ? read(plan) : uses).started(clock.instant()));
        unsaved.add(plan);
    }

    /** The last use; 1970 when there was none. */
    public Instant last(Digest plan) {
        return uses(plan).last();
    }

    /** How many of the newest 16 starts came after {@code since}. */
    public long starts(Digest plan, Instant since) {
        return uses(plan).starts().stream()
                .filter(start -> start.isAfter(since))
                .count();
    }

    private Uses uses(Digest plan) {
        return known.computeIfAbsent(plan, this::read);
    }

    /** Writes what has changed. */
    public void flush() {
        for (Digest plan : Set.copyOf(unsaved)) {
            unsaved.remove(plan);
            try {
                write(plan, uses(plan));
            } catch (IOException e) {
                events.error("plan", "the use of plan " + plan + " is not remembered: " + Events.reason(e));
            }
        }
    }

    private void write(Digest plan, Uses uses) throws IOException {
        StringBuilder text = new StringBuilder();
        uses.starts().forEach(start -> text.append(start.toEpochMilli()).append('\n'));
        AtomicFile.publish(file(plan), out -> out.write(text.toString().getBytes(StandardCharsets.US_ASCII)));
        Files.setLastModifiedTime(file(plan), FileTime.from(uses.last()));
    }

    private Uses read(Digest plan) {
        try {
            List<Instant> starts = Files.readAllLines(file(plan), StandardCharsets.US_ASCII).stream()
                    .map(line -> Instant.ofEpochMilli(Long.parseLong(line)))
                    .toList();
            return new Uses(Files.getLastModifiedTime(file(plan)).toInstant(), starts);
        } catch (NoSuchFileException e) {
            return Uses.NONE;
        } catch (IOException | NumberFormatException e) {
            events.error("plan", "the uses of plan " + plan + " are unreadable and count as none: " + Events.reason(e));
            return Uses.NONE;
        }
    }

    void remove(Digest plan) throws IOException {
        unsaved.remove(plan);
        known.remove(plan);
        Files.deleteIfExists(file(plan));
    }

    private Path file(Digest plan) {
        return directory.resolve(plan.hex() + ".uses");
    }
}
