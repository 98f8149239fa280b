package io.faasimage.builder;

import io.faasimage.builder.BuildListener.Phase;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.image.BuiltImage;
import io.faasimage.builder.image.ImagePush;
import io.faasimage.builder.install.Installer;
import io.faasimage.builder.layer.KeptLayers;
import io.faasimage.builder.layer.LayerFile;
import io.faasimage.builder.rootfs.RootCache;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.Credentials;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The builder of function images. Thread-safe; a build is done on the calling thread and ends early when that is
 * interrupted. A build that fails has pushed nothing that a tag names.
 */
public final class ImageBuilder {
    private static final String CONTAINER = "faasimage-build-";

    private final BuilderConfig config;
    private final RootCache roots;
    private final Installer installer;
    private final FunctionLibraries libraries;
    private final List<Path> leftovers = new ArrayList<>();

    /** A builder; what a killed process left in the directory of running builds is for {@link #removeLeftovers}. */
    public ImageBuilder(BuilderConfig config) throws IOException {
        this.config = config;
        this.roots = new RootCache(config.roots(), config.keptRoots(), config.maxRootBytes());
        this.installer = new Installer(config.runc(), config.limits());
        this.libraries = new FunctionLibraries(
                config,
                roots,
                installer,
                new KeptLayers(config.layers(), config.keptLayers(), config.layerAge(), Clock.systemUTC()));
        Files.createDirectories(config.work());
        try (DirectoryStream<Path> left = Files.newDirectoryStream(config.work())) {
            left.forEach(leftovers::add);
        }
    }

    /**
     * Removes the containers and files of builds whose process was killed; builds may run meanwhile. What fails is
     * tried again by the next process.
     */
    public void removeLeftovers() throws IOException {
        try {
            FileTree.removeAll(leftovers, this::remove);
        } finally {
            roots.removeLeftovers();
        }
    }

    /**
     * Builds and pushes an image.
     *
     * @param id unique; of letters, digits and '-'
     * @param source directory with the function's code
     * @param output file that takes what the package manager prints
     * @throws BuildException when the function or its dependencies are wrong, or a limit is reached
     * @throws io.faasimage.refactor.fault.RefactorException when an image registry cannot be used
     */
    public BuildResult build(String id, Path source, BuildRequest request, Path output, BuildListener listener)
            throws IOException {
        checkHandler(source, request.runtime());
        Path work = Files.createDirectories(config.work().resolve(id));
        try (ImageSource base = ImageSources.open(request.runtime().image(), config.registries())) {
            listener.progress(Phase.RUNTIME, 0, 0);
            ResolvedImage runtime = base.resolve(Platform.host());
            Optional<KeptLayers.Use> used = libraries.layer(CONTAINER + id, source, request, work, output, listener);
            try {
                listener.progress(Phase.LAYERS, 0, 0);
                report(Credentials.in(source, request.runtime()), output);
                FunctionLayers layers =
                        FunctionLayers.write(work, source, used.map(KeptLayers.Use::layer), request, config.watchdog());
                return push(layers.image(runtime, request), base, request.target(), listener);
            } finally {
                used.ifPresent(KeptLayers.Use::close);
            }
        } finally {
            remove(work);
        }
    }

    private BuildResult push(BuiltImage image, ImageSource base, ImageReference target, BuildListener listener)
            throws IOException {
        int total = image.base().layers().size() + image.layers().size();
        Digest manifest = ImagePush.push(
                image, base, target, config.registries(), pushed -> listener.progress(Phase.PUSH, pushed, total));
        return new BuildResult(target, manifest, summary(image));
    }

    private static void checkHandler(Path source, FunctionRuntime runtime) throws BuildException {
        if (!Files.isRegularFile(source.resolve(runtime.handler()))) {
            throw BuildException.badRequest("the function has no file '" + runtime.handler() + "', which the runtime "
                    + runtime.name() + " calls; it must lie at the top of the archive");
        }
    }

    private static void report(List<Path> credentials, Path output) throws IOException {
        if (!credentials.isEmpty()) {
            String names = credentials.stream().map(Path::toString).collect(Collectors.joining(", "));
            Files.writeString(
                    output,
                    "left out of the image, as they may have passwords: " + names
                            + " (give these to an installation with --secret, to the function with --env)\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private static List<BuildResult.Layer> summary(BuiltImage image) {
        List<BuildResult.Layer> all = new ArrayList<>();
        for (LayerDescriptor layer : image.base().layers()) {
            all.add(new BuildResult.Layer("runtime", layer.digest(), layer.size()));
        }
        for (int i = 0; i < image.layers().size(); i++) {
            LayerFile layer = image.layers().get(i);
            all.add(new BuildResult.Layer(image.purposes().get(i), layer.digest(), layer.size()));
        }
        return all;
    }

    private void remove(Path work) throws IOException {
        installer.remove(work, CONTAINER + work.getFileName());
        FileTree.remove(work);
    }
}
