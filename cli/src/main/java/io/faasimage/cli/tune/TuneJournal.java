package io.faasimage.cli.tune;

import io.faasimage.api.rest.Json;
import io.faasimage.cli.containerd.Change;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The journal of what this command has changed on the machine, kept below the node agent's state directory: an entry is
 * written before its change is made, and removed after that is undone. Held by one process at a time.
 */
public final class TuneJournal implements AutoCloseable {
    private static final String FILE = "tune.json";

    private final Path file;
    private final FileChannel lock;

    private TuneJournal(Path file, FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * A file that did not exist before.
     *
     * @param lever that it turns on
     * @param path of it
     * @param text what was written
     */
    record WrittenFile(String lever, String path, String text) {}

    /**
     * A mount whose options were changed.
     *
     * @param lever that this turns on
     * @param target of the mount
     * @param option that was added
     * @param boot the kernel's boot ID: options do not outlive it
     */
    record ChangedMount(String lever, String target, String option, String boot) {}

    private record Entries(
            @Nullable List<WrittenFile> files, @Nullable List<ChangedMount> mounts) {
        List<WrittenFile> filesWithout(String lever) {
            return files == null
                    ? List.of()
                    : files.stream()
                            .filter(entry -> !entry.lever().equals(lever))
                            .toList();
        }

        List<ChangedMount> mountsWithout(String lever) {
            return mounts == null
                    ? List.of()
                    : mounts.stream()
                            .filter(entry -> !entry.lever().equals(lever))
                            .toList();
        }

        Entries without(String lever) {
            return new Entries(filesWithout(lever), mountsWithout(lever));
        }
    }

    /**
     * The journal of the node whose state directory is {@code root}, which is made when it does not exist.
     *
     * @throws IOException when another process has it open
     */
    public static TuneJournal open(Path root) throws IOException {
        Files.createDirectories(root);
        FileChannel lock =
                FileChannel.open(root.resolve("tune.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw new IOException("another `faasimage node tune` is at work; try again when it has ended");
        }
        return new TuneJournal(root.resolve(FILE), lock);
    }

    /** The file that was written for {@code lever}, or was about to be. */
    Optional<WrittenFile> writtenFile(String lever) throws IOException {
        return Optional.ofNullable(read().files()).stream()
                .flatMap(List::stream)
                .filter(entry -> entry.lever().equals(lever))
                .findFirst();
    }

    /** The mount that was changed for {@code lever}, or was about to be. */
    Optional<ChangedMount> changedMount(String lever) throws IOException {
        return Optional.ofNullable(read().mounts()).stream()
                .flatMap(List::stream)
                .filter(entry -> entry.lever().equals(lever))
                .findFirst();
    }

    /** Whether there is an entry of {@code lever}. */
    public boolean names(String lever) throws IOException {
        return writtenFile(lever).isPresent() || changedMount(lever).isPresent();
    }

    void add(WrittenFile entry) throws IOException {
        Entries entries = read();
        write(new Entries(
                Stream.concat(entries.filesWithout(entry.lever()).stream(), Stream.of(entry))
                        .toList(),
                entries.mountsWithout("")));
    }

    void add(ChangedMount entry) throws IOException {
        Entries entries = read();
        write(new Entries(
                entries.filesWithout(""),
                Stream.concat(entries.mountsWithout(entry.lever()).stream(), Stream.of(entry))
                        .toList()));
    }

    void remove(String lever) throws IOException {
        write(read().without(lever));
    }

    private Entries read() throws IOException {
        try {
            return Files.exists(file)
                    ? Json.mapper().readValue(Files.readString(file), Entries.class)
                    : new Entries(List.of(), List.of());
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is damaged: " + e.getOriginalMessage() + "; undo what it names by hand, and remove it", e);
        }
    }

    private void write(Entries entries) throws IOException {
        boolean empty =
                entries.filesWithout("").isEmpty() && entries.mountsWithout("").isEmpty();
        String text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(entries) + "\n";
        new Change(file, Optional.empty(), empty ? Optional.empty() : Optional.of(text)).apply();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
