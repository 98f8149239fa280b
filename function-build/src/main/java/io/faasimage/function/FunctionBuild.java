package io.faasimage.function;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.Port;
import io.faasimage.format.id.Digest;
import io.faasimage.function.Libraries.Installed;
import io.faasimage.function.runtime.FunctionRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The build of function images by jib: the layers of the base image, one of libraries, one of the code and the server
 * that calls it. The same input gives the same digest. A base's tag is looked up once. Not thread-safe.
 */
public final class FunctionBuild {
    private static final int PORT = 8080;
    /** Layers of code that the cache of one set of libraries has before it begins anew. */
    private static final int KEPT_LAYERS = 50;

    private final Path work;
    private final Path baseCache;
    private final Libraries libraries;
    private final Consumer<String> progress;
    private final Map<String, BaseImage> bases = new HashMap<>();

    /**
     * A builder.
     *
     * @param cache directory of this user
     * @param progress takes the steps of the build and the output of the package manager, line by line
     */
    public FunctionBuild(Path cache, Consumer<String> progress) {
        this.work = cache.resolve("work");
        this.baseCache = cache.resolve("base");
        this.libraries = new Libraries(cache.resolve("libraries"), baseCache, progress);
        this.progress = progress;
    }

    /**
     * A request to build a function.
     *
     * @param function its name
     * @param directory with the code
     * @param image reference that it is pushed to
     * @param environment of the function
     */
    public record Request(
            String function,
            Path directory,
            FunctionRuntime runtime,
            String image,
            SortedMap<String, String> environment,
            Installation installation) {}

    /** Builds and pushes the image; the digest of its manifest. */
    public Digest build(Request request) throws IOException {
        FunctionRuntime runtime = request.runtime();
        if (!Files.isRegularFile(request.directory().resolve(runtime.handler()))) {
            throw new IOException("the function has no file '" + runtime.handler() + "', which the runtime "
                    + runtime.name() + " calls; it must be at the top of " + request.directory());
        }
        ImageReference target = target(request.image());
        request.installation().check();
        Files.createDirectories(work);
        Path own = Files.createTempDirectory(work, "");
        try {
            Optional<Installed> installed = libraries.of(request, base(runtime.installImage()), own);
            BaseImage base = base(runtime.image());
            return push(request, base, installed, target, own);
        } finally {
            DirectoryTree.remove(own);
        }
    }

    private static ImageReference target(String image) throws IOException {
        try {
            return ImageReference.parse(image);
        } catch (InvalidImageReferenceException e) {
            throw new IOException("'" + image + "' is no reference that an image can be pushed to", e);
        }
    }

    private BaseImage base(String image) throws IOException {
        BaseImage known = bases.get(image);
        if (known == null) {
            known = BaseImage.resolve(image);
            progress.accept("base image " + known.reference());
            bases.put(image, known);
        }
        return known;
    }

    private Digest push(Request request, BaseImage base, Optional<Installed> installed, ImageReference target, Path own)
            throws IOException {
        FunctionRuntime runtime = request.runtime();
        JibContainerBuilder image = base.builder()
                .setEntrypoint(List.of())
                .setProgramArguments(runtime.command())
                .setEnvironment(runtime.environment())
                .setUser("1000:1000")
                .setWorkingDirectory(AbsoluteUnixPath.get(FunctionRuntime.FUNCTION))
                .addExposedPort(Port.tcp(PORT))
                .addLabel("io.faasimage.function", request.function())
                .addLabel("io.faasimage.runtime", runtime.name());
        request.environment().forEach(image::addEnvironmentVariable);
        image.addEnvironmentVariable("PORT", Integer.toString(PORT));
        if (installed.isPresent()) {
            image.addFileEntriesLayer(
                    FunctionFiles.layer("libraries", installed.get().tree(), runtime.libraries()));
        }
        image.addFileEntriesLayer(FunctionFiles.layer("code", code(request, own.resolve("code")), "/"));
        boolean plain = BaseImage.isLoopback(request.image());
        if (plain && !base.isPlain()) {
            fetch(base, own);
        }
        progress.accept("pushing " + request.image());
        // jib takes this from here alone; Docker does so too, on loopback addresses.
        System.setProperty("sendCredentialsOverHttp", Boolean.toString(plain));
        Containerizer to = Containerizer.to(BaseImage.withLogins(target))
                .setBaseImageLayersCache(baseCache)
                .setApplicationLayersCache(layers(installed, own))
                .setAllowInsecureRegistries(plain);
        return new Digest(BaseImage.make(image, to, "building and pushing " + request.image())
                .getDigest()
                .getHash());
    }

    /** jib's permission to do without TLS is for both registries: a base of another machine is fetched before. */
    private void fetch(BaseImage base, Path own) throws IOException {
        Path fetched = baseCache.resolve("fetched-" + base.digest().hex());
        if (!Files.exists(fetched)) {
            Path archive = own.resolve("fetched.tar");
            BaseImage.make(
                    base.builder(),
                    Containerizer.to(TarImage.at(archive).named(ImageReference.of(null, "base", null)))
                            .setBaseImageLayersCache(baseCache)
                            .setApplicationLayersCache(own.resolve("layers")),
                    "fetching the base image " + base.reference());
            Files.delete(archive);
            Files.createFile(fetched);
        }
    }

    private static Path layers(Optional<Installed> installed, Path own) throws IOException {
        if (installed.isEmpty()) {
            return own.resolve("layers");
        }
        Path layers = installed.get().layers();
        if (FunctionFiles.all(layers).size() > KEPT_LAYERS * 4) {
            DirectoryTree.remove(layers);
        }
        return layers;
    }

    /**
     * Copies the code and the server to where they are in the image, below {@code root}: jib takes a file for unchanged
     * that has the path and the time of an earlier build's.
     */
    private Path code(Request request, Path root) throws IOException {
        for (Map.Entry<String, String> file : request.runtime().files().entrySet()) {
            Path to = root.resolve(file.getKey().substring(1));
            Files.createDirectories(to.getParent());
            Files.writeString(to, file.getValue());
        }
        Path function = root.resolve(FunctionRuntime.FUNCTION.substring(1));
        for (Path path : FunctionFiles.code(request.directory())) {
            Path relative = request.directory().relativize(path);
            Path to = function.resolve(relative);
            if (Files.isDirectory(path)) {
                if (!isPackages(request, relative)) {
                    Files.createDirectories(to);
                }
            } else if (FunctionFiles.isCredential(path, request.runtime())) {
                progress.accept("left out of the image, as it may have passwords: " + relative
                        + " (give it to the package manager with --secret, to the function with --env)");
            } else if (!isPackages(request, relative)) {
                Files.copy(path, to);
                if (!to.toFile().setExecutable(Files.isExecutable(path), false)) {
                    throw new IOException("could not set the mode of " + to);
                }
            }
        }
        return root;
    }

    /** Whether a file belongs to a directory of installed packages: these are libraries, and no code. */
    private static boolean isPackages(Request request, Path relative) {
        return request.runtime().dependencies().stream()
                .anyMatch(name -> relative.startsWith(name)
                        && Files.isDirectory(request.directory().resolve(name)));
    }
}
