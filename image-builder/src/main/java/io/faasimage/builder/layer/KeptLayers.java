package io.faasimage.builder.layer;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Layers that earlier builds wrote, by a digest of what each was made from. The least recently used ones beyond a
 * number are removed, except those in use; one that is too old is not used. A damaged blob does no harm: a registry
 * accepts none whose digest is another. Thread-safe.
 */
public final class KeptLayers {
    private static final String BLOB = ".tar.gz";
    private static final String DESCRIPTION = ".json";

    private final Path directory;
    private final int kept;
    private final Duration age;
    private final Clock clock;
    private final Map<String, Integer> users = new HashMap<>();

    /**
     * Layers in {@code directory}, where nothing else is.
     *
     * @param kept layers that stay; with 0, none is kept
     * @param age after which a layer is made again
     */
    public KeptLayers(Path directory, int kept, Duration age, Clock clock) throws IOException {
        this.directory = Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        this.kept = kept;
        this.age = age;
        this.clock = clock;
        AtomicFile.sweep(directory);
    }

    /** What the file beside a blob says; {@code made} is in seconds since 1970. */
    private record Description(String digest, long size, String diffId, int entries, long made) {}

    /** The layer that was made from {@code inputs}, until the use is closed; empty when there is none. */
    public synchronized Optional<Use> find(Digest inputs) throws IOException {
        Path blob = blob(inputs.hex());
        Optional<Description> found = description(inputs);
        if (found.isEmpty()
                || !Files.isRegularFile(blob)
                || Files.size(blob) != found.get().size()) {
            return Optional.empty();
        }
        Description layer = found.get();
        if (Instant.ofEpochSecond(layer.made()).plus(age).isBefore(clock.instant())) {
            return Optional.empty();
        }
        touch(blob);
        return Optional.of(use(
                inputs,
                new LayerFile(
                        blob,
                        Digest.parse(layer.digest()),
                        layer.size(),
                        Digest.parse(layer.diffId()),
                        layer.entries())));
    }

    private Optional<Description> description(Digest inputs) throws IOException {
        try {
            byte[] json = Files.readAllBytes(description(inputs.hex()));
            return Optional.of(JsonMapper.shared().readValue(json, Description.class));
        } catch (NoSuchFileException | JacksonException e) {
            // Never made, or cut off by a crash: the layer is made again.
            return Optional.empty();
        }
    }

    /** Keeps {@code layer}, whose blob is moved, and uses it. While another build uses one of the same, it is not. */
    public synchronized Use keep(Digest inputs, LayerFile layer) throws IOException {
        if (kept == 0 || users.containsKey(inputs.hex())) {
            return new Use(layer, () -> {});
        }
        Path blob = blob(inputs.hex());
        Files.deleteIfExists(description(inputs.hex()));
        Files.move(layer.blob(), blob, StandardCopyOption.REPLACE_EXISTING);
        touch(blob);
        Description description = new Description(
                layer.digest().toString(),
                layer.size(),
                layer.diffId().toString(),
                layer.entries(),
                clock.instant().getEpochSecond());
        // Last: a layer without its description is not there.
        AtomicFile.publish(
                description(inputs.hex()), out -> out.write(JsonMapper.shared().writeValueAsBytes(description)));
        Use use = use(inputs, new LayerFile(blob, layer.digest(), layer.size(), layer.diffId(), layer.entries()));
        evict();
        return use;
    }

    private void touch(Path blob) throws IOException {
        Files.setLastModifiedTime(blob, FileTime.from(clock.instant()));
    }

    private Use use(Digest inputs, LayerFile layer) {
        users.merge(inputs.hex(), 1, Integer::sum);
        return new Use(layer, () -> release(inputs));
    }

    private synchronized void release(Digest inputs) {
        users.computeIfPresent(inputs.hex(), (_, count) -> count > 1 ? count - 1 : null);
    }

    private void evict() throws IOException {
        record Aged(String inputs, FileTime used) {}
        List<Aged> all = new ArrayList<>();
        try (DirectoryStream<Path> blobs = Files.newDirectoryStream(directory, "*" + BLOB)) {
            for (Path blob : blobs) {
                String name = String.valueOf(blob.getFileName());
                all.add(new Aged(name.substring(0, name.length() - BLOB.length()), Files.getLastModifiedTime(blob)));
            }
        }
        all.sort(Comparator.comparing(Aged::used).reversed());
        for (Aged old : all.subList(Math.min(kept, all.size()), all.size())) {
            if (!users.containsKey(old.inputs())) {
                Files.deleteIfExists(description(old.inputs()));
                Files.deleteIfExists(blob(old.inputs()));
            }
        }
    }

    private Path blob(String inputs) {
        return directory.resolve(inputs + BLOB);
    }

    private Path description(String inputs) {
        return directory.resolve(inputs + DESCRIPTION);
    }

    /**
     * The use of one layer by a build.
     *
     * @param layer whose blob stays where it is until the use is closed
     * @param end what closing does
     */
    public record Use(LayerFile layer, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }
}
