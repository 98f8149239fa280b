package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.api.rest.Json;
import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * The functions that this adapter has registered, on disk. Those deleted while it was down are released; functions that
 * somebody else registered never are. Thread-safe; a change is on disk when its method returns.
 */
public final class Ledger {
    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final int VERSION = 1;

    private final Path file;
    private final Set<FunctionKey> keys;

    /** The file's content: {@code {"version":1,"functions":[{"name":...,"namespace":...}]}}. */
    private record Content(int version, List<FunctionKey> functions) {}

    private Ledger(Path file, Set<FunctionKey> keys) {
        this.file = file;
        this.keys = keys;
    }

    /** The ledger in {@code directory}, which is created; a damaged one is put aside with a warning. */
    public static Ledger open(Path directory) throws IOException {
        Path file = Files.createDirectories(directory).resolve("registered.json");
        if (!Files.exists(file)) {
            return new Ledger(file, new HashSet<>());
        }
        try {
            Content content = Json.mapper().readValue(Files.readAllBytes(file), new TypeReference<>() {});
            if (content.version() > VERSION) {
                throw new IOException(file + " was written by a newer version of faasimage-adapter; use that one");
            }
            return new Ledger(file, new HashSet<>(content.functions()));
        } catch (JacksonException | NullPointerException e) {
            Path aside = file.resolveSibling("registered.damaged");
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            LOG.warn(
                    "{} was damaged and is now {}; functions deleted while the adapter was down stay registered",
                    file,
                    aside);
            return new Ledger(file, new HashSet<>());
        }
    }

    synchronized void add(FunctionKey key) throws IOException {
        if (keys.add(key)) {
            write();
        }
    }

    synchronized void remove(FunctionKey key) throws IOException {
        if (keys.remove(key)) {
            write();
        }
    }

    synchronized boolean contains(FunctionKey key) {
        return keys.contains(key);
    }

    synchronized Set<FunctionKey> all() {
        return keys.stream().collect(Collectors.toUnmodifiableSet());
    }

    private void write() throws IOException {
        byte[] json = Json.mapper().writeValueAsBytes(Map.of("version", VERSION, "functions", List.copyOf(keys)));
        AtomicFile.publishSynced(file, out -> out.write(json));
    }
}
