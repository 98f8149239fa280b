package io.faasimage.builder;

import io.faasimage.builder.BuildListener.Phase;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.install.Installation;
import io.faasimage.builder.install.Installed;
import io.faasimage.builder.install.Installer;
import io.faasimage.builder.layer.InputDigest;
import io.faasimage.builder.layer.KeptLayers;
import io.faasimage.builder.layer.LayerFile;
import io.faasimage.builder.layer.LayerWriter;
import io.faasimage.builder.rootfs.RootCache;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.builder.secret.MaskedInput;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The maker of the libraries' layer of functions: it installs them, or takes the layer of an earlier build with the
 * same runtime image, installation script, variables and dependency files. Thread-safe.
 */
final class FunctionLibraries {
    /** Changes whenever the same inputs give another layer. */
    private static final String FORMAT = "faasimage libraries 1";

    private final BuilderConfig config;
    private final RootCache roots;
    private final Installer installer;
    private final KeptLayers layers;

    /** Known to this process alone: what was installed with secrets is not used after its end. */
    private final byte[] key = new byte[32];

    FunctionLibraries(BuilderConfig config, RootCache roots, Installer installer, KeptLayers layers) {
        this.config = config;
        this.roots = roots;
        this.installer = installer;
        this.layers = layers;
        new SecureRandom().nextBytes(key);
    }

    /**
     * The layer, until the use is closed; empty for a function without dependencies.
     *
     * @param container name of the container that they are installed in
     * @param work directory of the build
     * @param output file that takes what the package manager prints
     */
    Optional<KeptLayers.Use> layer(
            String container, Path source, BuildRequest request, Path work, Path output, BuildListener listener)
            throws IOException {
        FunctionRuntime runtime = request.runtime();
        if (runtime.dependencies().stream().noneMatch(name -> Files.isRegularFile(source.resolve(name)))) {
            return Optional.empty();
        }
        try (ImageSource images = ImageSources.open(runtime.installImage(), config.registries())) {
            ResolvedImage image = images.resolve(Platform.host());
            Digest inputs = inputs(image, source, request);
            Optional<KeptLayers.Use> kept =
                    request.libraries() == KeptLibraries.USED ? layers.find(inputs) : Optional.empty();
            if (kept.isPresent()) {
                Files.writeString(
                        output,
                        "the libraries are those of an earlier build with the same dependencies\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                return kept;
            }
            try (RootCache.Lease root = roots.take(images, image)) {
                listener.progress(Phase.LIBRARIES, 0, 0);
                LayerFile layer = install(container, root.root(), source, request, work, output);
                return Optional.of(
                        request.libraries() == KeptLibraries.UNTOUCHED
                                ? new KeptLayers.Use(layer, () -> {})
                                : layers.keep(inputs, layer));
            }
        }
    }

    private Digest inputs(ResolvedImage image, Path source, BuildRequest request) throws IOException {
        FunctionRuntime runtime = request.runtime();
        InputDigest inputs = new InputDigest()
                .text(FORMAT)
                .text(image.manifest().toString())
                .text(runtime.libraries())
                .text(runtime.install());
        config.environment().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(variable -> inputs.text(variable.getKey()).text(variable.getValue()));
        for (String name : runtime.installed()) {
            Path from = source.resolve(name);
            if (Files.isRegularFile(from) || Files.isDirectory(from)) {
                inputs.tree(source, from);
            }
        }
        if (!request.secrets().isEmpty()) {
            // Who does not have them gets nothing that was installed with them.
            inputs.text("secrets").text(request.secrets().digest(key));
        }
        return inputs.digest();
    }

    private LayerFile install(String container, Path root, Path source, BuildRequest request, Path work, Path output)
            throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new BuildException(
                    BuildException.Kind.MACHINE,
                    "libraries are installed in containers, which the service has no permission to create: run"
                            + " it as root");
        }
        FunctionRuntime runtime = request.runtime();
        try (Installed installed = installer.run(new Installation(
                container,
                root,
                runtime,
                source,
                work,
                config.environment(),
                request.secrets(),
                config.egress().with(runtime.registries(), config.environment()),
                output))) {
            checkSecrets(installed.libraries(), request.secrets());
            return written(work, runtime, installed.libraries());
        }
    }

    /** Fails if an installed file has a secret in it, such as an address with a password in a list of packages. */
    static void checkSecrets(Path libraries, BuildSecrets secrets) throws IOException {
        List<byte[]> values = secrets.values();
        if (values.isEmpty()) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(libraries)) {
            files = all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                if (MaskedInput.contains(in, values)) {
                    throw new BuildException(
                            BuildException.Kind.INSTALL,
                            "the installation wrote a secret into " + libraries.relativize(file) + " of the libraries,"
                                    + " where everybody with the image could read it; nothing was pushed. Name the"
                                    + " package's address without the login, which belongs into the secret alone");
                }
            }
        }
    }

    private static LayerFile written(Path work, FunctionRuntime runtime, Path installed) throws IOException {
        try (LayerWriter writer = new LayerWriter(work.resolve("libraries.tar.gz"))) {
            return writer.tree(runtime.libraries(), installed, List.of()).finish();
        }
    }
}
