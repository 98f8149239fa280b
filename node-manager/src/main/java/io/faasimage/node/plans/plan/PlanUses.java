package io.faasimage.node.plans.plan;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last uses of the plans of this node. Uses are numbered, and their age is counted in hours that the agent ran, so
 * that a step of the clock changes neither. {@code plans/<hex>.uses} has the number and the hour of the last use;
 * {@code plans/hours} the hours. Written by {@link #flush}, so that no start waits. Thread-safe.
 */
public final class PlanUses {
    private static final String SUFFIX = ".uses";

    private final Path directory;
    private final Events events;
    private final Map<Digest, Uses> known = new ConcurrentHashMap<>();
    private final Set<Digest> unsaved = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong hours = new AtomicLong();

    /**
     * The uses of one plan.
     *
     * @param last number of the last one of any kind; 0 when it never was used, or counts as unused
     * @param hour in which that was, or in which it became unused
     */
    private record Uses(long last, long hour) {}

    PlanUses(Path directory, Events events) {
        this.directory = directory;
        this.events = events;
    }

    /** Reads the numbers on the disk, from which counting continues. */
    void load() throws IOException {
        hours.set(readHours());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                PlanStore.digestOf(name.substring(0, name.length() - SUFFIX.length()))
                        .ifPresent(plan -> numbers.accumulateAndGet(uses(plan).last(), Math::max));
            }
        }
    }

    private long readHours() throws IOException {
        try {
            return Long.parseLong(Files.readString(directory.resolve("hours")).strip());
        } catch (NoSuchFileException | NumberFormatException e) {
            return 0;
        }
    }

    /** It was requested, or pulled, or containers start or run on it. */
    public void touched(Digest plan) {
        known.put(plan, new Uses(numbers.incrementAndGet(), hours.get()));
        unsaved.add(plan);
    }

    /** Its image is not wanted any more: it counts as unused. */
    public void released(Digest plan) {
        known.put(plan, new Uses(0, hours.get()));
        unsaved.add(plan);
    }

    /** The number of the last use; larger for later ones, 0 when there was none. */
    public long last(Digest plan) {
        return uses(plan).last();
    }

    /** The number of the newest use of any plan. */
    long newest() {
        return numbers.get();
    }

    /** For how many hours that the agent ran it has not been used. */
    public long unusedHours(Digest plan) {
        return hours.get() - uses(plan).hour();
    }

    /** The agent ran for another hour. */
    public void hourPassed() {
        long now = hours.incrementAndGet();
        try {
            AtomicFile.publish(
                    directory.resolve("hours"),
                    out -> out.write(Long.toString(now).getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            events.error("plan", "an hour of the agent's running time is not recorded: " + Events.reason(e));
        }
    }

    /** These plans, the least recently used first. */
    public List<Digest> leastUsedFirst(Collection<Digest> plans) {
        return plans.stream()
                .sorted(Comparator.<Digest>comparingLong(this::last).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private Uses uses(Digest plan) {
        return known.computeIfAbsent(plan, this::read);
    }

    /** Writes the changes. */
    public void flush() {
        for (Digest plan : Set.copyOf(unsaved)) {
            unsaved.remove(plan);
            try {
                write(plan, uses(plan));
            } catch (IOException e) {
                events.error("plan", "the use of plan " + plan + " is not recorded: " + Events.reason(e));
            }
        }
    }

    private void write(Digest plan, Uses uses) throws IOException {
        String text = uses.last() + " " + uses.hour();
        AtomicFile.publish(file(plan), out -> out.write(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private Uses read(Digest plan) {
        try {
            String[] parts =
                    Files.readString(file(plan), StandardCharsets.US_ASCII).split(" ", -1);
            if (parts.length != 2) {
                throw new IOException("it is not two numbers");
            }
            return new Uses(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        } catch (NoSuchFileException e) {
            return new Uses(0, hours.get());
        } catch (IOException | NumberFormatException e) {
            events.error("plan", "the uses of plan " + plan + " are unreadable and ignored: " + Events.reason(e));
            return new Uses(0, hours.get());
        }
    }

    void remove(Digest plan) throws IOException {
        unsaved.remove(plan);
        known.remove(plan);
        Files.deleteIfExists(file(plan));
    }

    private Path file(Digest plan) {
        return directory.resolve(plan.hex() + SUFFIX);
    }
}
