package io.faasimage.function;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.TarImage;
import io.faasimage.format.id.Digest;
import io.faasimage.function.ContainerTool.Mount;
import io.faasimage.function.FunctionBuild.Request;
import io.faasimage.function.runtime.FunctionRuntime;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The libraries of functions: a package manager installs them in a container of the base image, and the user's cache
 * keeps them for builds with the same base, runtime and dependency files.
 */
final class Libraries {
    /** Entries of the cache that stay; one that was used in the last hour stays, too. */
    private static final int KEPT = 20;

    private static final Duration IN_USE = Duration.ofHours(1);
    private static final int SHOWN_LINES = 8;
    private static final String AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
    private static final String SECRETS = "/run/secrets/";

    /** Gives the files that a container's root made to the owner of the directory. */
    private static final String PRELUDE = """
            owner=$(stat -c %u:%g "$LIBRARIES")
            trap 'chown -R "$owner" "$LIBRARIES" .' EXIT
            cd /home/app/function
            if [ -f /run/secrets/netrc ]; then export NETRC=/run/secrets/netrc; ln -s "$NETRC" "$HOME/.netrc"; fi
            """;

    private final Path cache;
    private final Path baseCache;
    private final Consumer<String> progress;

    Libraries(Path cache, Path baseCache, Consumer<String> progress) {
        this.cache = cache;
        this.baseCache = baseCache;
        this.progress = progress;
    }

    /**
     * The libraries of one function.
     *
     * @param tree the files
     * @param layers jib's cache of the layer that they become, and of the code above it
     */
    record Installed(Path tree, Path layers) {}

    /** Installs the libraries, or takes those of an earlier build; empty for a function that names none. */
    Optional<Installed> of(Request request, BaseImage base, Path work) throws IOException {
        if (!hasDependencies(request)) {
            return Optional.empty();
        }
        Path entry = cache.resolve(inputs(request, base).hex());
        Installed installed = new Installed(entry.resolve("tree"), entry.resolve("layers"));
        if (request.installation().fresh() || !Files.isDirectory(installed.tree)) {
            Path made = install(request, base, work);
            SecretValues.of(request.installation()).checkAbsent(made);
            DirectoryTree.remove(entry);
            Files.createDirectories(installed.layers);
            Files.move(made, installed.tree, StandardCopyOption.ATOMIC_MOVE);
        } else {
            progress.accept("the libraries are those of an earlier build with the same dependencies");
        }
        Files.setLastModifiedTime(entry, FileTime.from(Instant.now()));
        evict();
        return Optional.of(installed);
    }

    /** Whether a dependency file says more than the template's, which names nothing. */
    private static boolean hasDependencies(Request request) throws IOException {
        SortedMap<String, String> template = request.runtime().template(request.function());
        for (String name : request.runtime().dependencies()) {
            Path file = request.directory().resolve(name);
            if (Files.isRegularFile(file)) {
                String text = Files.readString(file);
                if (!text.isBlank() && !text.equals(template.get(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Digest inputs(Request request, BaseImage base) throws IOException {
        FunctionRuntime runtime = request.runtime();
        MessageDigest sha256 = Digest.newSha256();
        try (DataOutputStream out =
                new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), sha256))) {
            for (String text :
                    List.of(base.digest().toString(), runtime.name(), runtime.libraries(), runtime.install())) {
                out.writeUTF(text);
            }
            for (Map.Entry<String, Path> file : seen(request).entrySet()) {
                out.writeUTF(file.getKey());
                out.writeLong(Files.size(file.getValue()));
                Files.copy(file.getValue(), out);
            }
        }
        return Digest.ofBytes(sha256.digest());
    }

    /** The function's files that an installation sees, by their paths. */
    private static SortedMap<String, Path> seen(Request request) throws IOException {
        SortedMap<String, Path> files = new TreeMap<>();
        for (String name : Stream.concat(
                        request.runtime().dependencies().stream(), request.runtime().credentials().stream())
                .toList()) {
            Path from = request.directory().resolve(name);
            if (Files.exists(from)) {
                for (Path file : Files.isDirectory(from) ? FunctionFiles.all(from) : List.of(from)) {
                    if (Files.isRegularFile(file)) {
                        files.put(request.directory().relativize(file).toString(), file);
                    }
                }
            }
        }
        return files;
    }

    private Path install(Request request, BaseImage base, Path work) throws IOException {
        Installation installation = request.installation();
        ContainerTool tool =
                installation.tool().isPresent() ? installation.tool().get() : ContainerTool.installed();
        progress.accept("installing the libraries with " + tool.command());
        Path function = Files.createDirectories(work.resolve("function"));
        for (Map.Entry<String, Path> file : seen(request).entrySet()) {
            Path to = function.resolve(file.getKey());
            Files.createDirectories(to.getParent());
            Files.copy(file.getValue(), to);
        }
        // On the cache's file system, as it moves there.
        Path tree = Files.createDirectories(work.resolve("tree"));
        List<Mount> mounts = new ArrayList<>(List.of(
                new Mount(function, FunctionRuntime.FUNCTION, true),
                new Mount(tree, request.runtime().libraries(), true)));
        installation.secrets().forEach((id, file) -> mounts.add(new Mount(file.toAbsolutePath(), SECRETS + id, false)));
        if (Files.isReadable(Path.of(AUTHORITIES))) {
            mounts.add(new Mount(Path.of(AUTHORITIES), AUTHORITIES, false));
        }
        String image = load(tool, base, work);
        String container = "faasimage-build-" + work.getFileName();
        Path variables = variables(request, work);
        Thread killer = new Thread(() -> quietly(tool.kill(container)));
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            run(
                    tool.run(
                            image,
                            container,
                            variables,
                            mounts,
                            PRELUDE + request.runtime().install()),
                    "the libraries could not be installed by " + tool.command());
        } finally {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        return tree;
    }

    private static Path variables(Request request, Path work) throws IOException {
        SortedMap<String, String> all = new TreeMap<>();
        all.put("LANG", "C.UTF-8");
        all.put("HOME", "/tmp");
        all.put("LIBRARIES", request.runtime().libraries());
        // Compilers and packers that know it write this time instead of the clock's.
        all.put("SOURCE_DATE_EPOCH", "1767225600");
        if (Files.isReadable(Path.of(AUTHORITIES))) {
            for (String name : List.of("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")) {
                all.put(name, AUTHORITIES);
            }
        }
        for (String name : List.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")) {
            Optional.ofNullable(System.getenv(name)).ifPresent(value -> all.put(name, value));
        }
        all.putAll(request.installation().values());
        List<String> lines = new ArrayList<>();
        all.forEach((name, value) -> lines.add(name + "=" + value));
        return Files.write(work.resolve("variables"), lines);
    }

    /** Loads the base image into the tool by jib: with its logins, and the very layers that the function gets. */
    private String load(ContainerTool tool, BaseImage base, Path work) throws IOException {
        String image = "faasimage.local/base:" + base.digest().hex();
        if (!quietly(tool.find(image)).isEmpty()) {
            return image;
        }
        Path archive = work.resolve("base.tar");
        try {
            BaseImage.make(
                    base.builder().setEntrypoint(List.of()).setUser("0:0"),
                    Containerizer.to(TarImage.at(archive).named(image))
                            .setBaseImageLayersCache(baseCache)
                            .setApplicationLayersCache(work.resolve("layers"))
                            .setAllowInsecureRegistries(base.isPlain()),
                    "fetching the base image " + base.reference());
        } catch (com.google.cloud.tools.jib.api.InvalidImageReferenceException e) {
            throw new IllegalStateException("a valid name: " + image, e);
        }
        run(tool.load(archive), "the base image could not be loaded by " + tool.command());
        return image;
    }

    /** Runs a command whose output is shown; a failure has its last lines. */
    private void run(List<String> command, String failure) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Deque<String> last = new ArrayDeque<>();
        try (Stream<String> lines = process.inputReader(StandardCharsets.UTF_8).lines()) {
            lines.forEach(line -> {
                progress.accept(line);
                last.add(line);
                if (last.size() > SHOWN_LINES) {
                    last.remove();
                }
            });
        }
        try {
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IOException(failure + " (exit code " + exit + "):\n" + String.join("\n", last));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while it ran " + command.getFirst());
        }
    }

    /** The output of a command; nothing when it fails. */
    private static String quietly(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? printed.strip() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void evict() throws IOException {
        record Aged(Path entry, FileTime used) {}
        List<Aged> all = new ArrayList<>();
        try (Stream<Path> entries = Files.list(cache)) {
            for (Path entry : entries.toList()) {
                all.add(new Aged(entry, Files.getLastModifiedTime(entry)));
            }
        }
        all.sort(Comparator.comparing(Aged::used).reversed());
        for (Aged old : all.subList(Math.min(KEPT, all.size()), all.size())) {
            if (old.used.toInstant().isBefore(Instant.now().minus(IN_USE))) {
                DirectoryTree.remove(old.entry);
            }
        }
    }
}
