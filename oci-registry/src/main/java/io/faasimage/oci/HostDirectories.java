package io.faasimage.oci;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.trust.ClientCertificates.Pair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directories in which containerd's clients find the hosts of registries ({@code config_path} of its configuration,
 * {@code --hosts-dir} of {@code ctr}): the first directory of a registry counts, with its {@code hosts.toml}, or
 * without one with the certificates that Docker reads there. Files are read again when they have changed. A file that
 * cannot be read does not keep images from being read: the hosts before the change count on, else the directory's
 * certificates alone, as with containerd. Thread-safe.
 */
public final class HostDirectories implements Mirrors {
    /** Those of a containerd whose configuration names none. */
    public static final String USUAL = "/etc/containerd/certs.d:/etc/docker/certs.d";

    private static final String FILE = "hosts.toml";
    private static final String ANY_REGISTRY = "_default";
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_CERTIFICATES = 64;
    private static final int MOST_REGISTRIES = 256;

    private final List<Path> roots;
    private final Optional<Path> authorities;
    private final Consumer<String> problems;
    private final Map<String, Loaded> loaded = BoundedMap.lastUsed(MOST_REGISTRIES);

    private record Loaded(Path directory, WatchedFiles files, List<RegistryHost> hosts) {}

    /**
     * Directories of directories.
     *
     * @param roots the first that has a directory for a registry, or one for any registry, counts
     * @param authorities PEM file of authorities that are trusted besides the JVM's and the directory's; none when
     *     empty
     * @param problems receives each file that cannot be read, once until it changes
     */
    public HostDirectories(List<Path> roots, Optional<Path> authorities, Consumer<String> problems) {
        this.roots = List.copyOf(roots);
        this.authorities = authorities;
        this.problems = problems;
    }

    @Override
    public synchronized List<RegistryHost> of(String registry) throws IOException {
        Optional<Path> directory = directory(registry);
        if (directory.isEmpty()) {
            return List.of();
        }
        @Nullable Loaded known = loaded.get(registry);
        if (known == null
                || !known.directory().equals(directory.get())
                || !known.files().areUnchanged()) {
            List<RegistryHost> before =
                    known != null && known.directory().equals(directory.get()) ? known.hosts() : List.of();
            known = load(directory.get(), before);
            loaded.put(registry, known);
        }
        return known.hosts();
    }

    private Optional<Path> directory(String registry) throws IOException {
        for (Path root : roots) {
            for (String name : names(registry)) {
                Path directory = root.resolve(name);
                if (exists(directory)) {
                    return Optional.of(directory);
                }
            }
        }
        return Optional.empty();
    }

    /** The names of a registry's directory: {@code HOST_PORT_} goes before {@code HOST:PORT}. */
    static List<String> names(String registry) {
        int colon = registry.lastIndexOf(':');
        return colon > 0
                ? List.of(
                        registry.substring(0, colon) + "_" + registry.substring(colon + 1) + "_",
                        registry,
                        ANY_REGISTRY)
                : List.of(registry, ANY_REGISTRY);
    }

    private static boolean exists(Path directory) throws IOException {
        try {
            if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
                throw new IOException(directory + " is not a directory");
            }
            return true;
        } catch (NoSuchFileException e) {
            // The next one.
            return false;
        } catch (FileSystemException e) {
            throw unreadable(e);
        }
    }

    private Loaded load(Path directory, List<RegistryHost> before) throws IOException {
        WatchedFiles files = new WatchedFiles();
        HostCertificates certificates = new HostCertificates(directory, authorities, files);
        Path file = directory.resolve(FILE);
        try {
            String text = files.watch(file) ? text(file) : "";
            List<RegistryHost> hosts = text.isEmpty()
                    ? List.of(certificatesAlone(directory, certificates))
                    : new HostsToml(certificates).parse(text);
            return new Loaded(directory, files, hosts);
        } catch (IOException e) {
            IOException problem = e instanceof FileSystemException unreadable
                    ? unreadable(unreadable)
                    : new IOException(file + ": " + e.getMessage(), e);
            problems.accept(problem.getMessage()
                    + (before.isEmpty() ? "; no mirror is used" : "; the mirrors that it named before are used on"));
            return new Loaded(directory, files, before.isEmpty() ? withoutFile(directory, certificates) : before);
        }
    }

    /** The registry itself, with the certificates of its directory if they can be read. */
    private static List<RegistryHost> withoutFile(Path directory, HostCertificates certificates) {
        try {
            return List.of(certificatesAlone(directory, certificates));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static IOException unreadable(FileSystemException e) {
        String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        return new IOException(e.getFile() + " cannot be read: " + reason, e);
    }

    private static String text(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("more than " + MOST_BYTES + " bytes");
        }
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Docker's layout: {@code *.crt} are authorities, {@code *.cert} and {@code *.key} are certificates to present. */
    private static RegistryHost certificatesAlone(Path directory, HostCertificates certificates) throws IOException {
        certificates.files().watch(directory);
        List<Path> ca = new ArrayList<>();
        List<Pair> clients = new ArrayList<>();
        for (Path file : listed(directory)) {
            String name = file.getFileName().toString();
            if (name.endsWith(".crt")) {
                ca.add(file);
            } else if (name.endsWith(".cert")) {
                Path key = file.resolveSibling(name.replaceFirst("\\.cert$", ".key"));
                clients.add(new Pair(file, Files.exists(key) ? key : file));
            }
        }
        HostTls tls = certificates.load(ca, clients, Optional.empty());
        return new RegistryHost(Optional.empty(), EnumSet.allOf(Capability.class), tls, Map.of(), Optional.empty());
    }

    private static List<Path> listed(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> certificates = files.filter(file -> file.toString().matches("(?s).*\\.(?:crt|cert)"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .limit(MOST_CERTIFICATES + 1L)
                    .toList();
            if (certificates.size() > MOST_CERTIFICATES) {
                throw new IOException("more than " + MOST_CERTIFICATES + " certificates beside it");
            }
            return certificates;
        }
    }
}
