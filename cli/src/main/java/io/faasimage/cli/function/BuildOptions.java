package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.format.id.ImageReference;
import io.faasimage.function.ContainerTool;
import io.faasimage.function.FunctionBuild;
import io.faasimage.function.Installation;
import io.faasimage.function.runtime.Runtimes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that build a function from its code. */
public final class BuildOptions {
    private static final Readiness READY = new Readiness(8080, "/_/ready");

    @Option(
            names = "--runtime",
            required = true,
            paramLabel = "NAME|FILE",
            description =
                    "Language and version, such as python3.12, or the language alone; or a YAML file of your own.")
    private String runtime;

    @Option(names = "--name", paramLabel = "FUNCTION", description = "Name of the function (default: the directory's).")
    private @Nullable String name;

    @Option(
            names = "--image",
            paramLabel = "REF",
            description = "Where the image is pushed (default: the image that the function is registered with).")
    private @Nullable String image;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description =
                    "With a value, an environment variable of the function. A name alone: the package manager gets"
                            + " that variable of this command; the image does not.")
    private @Nullable List<String> variables;

    @Option(
            names = "--secret",
            paramLabel = "NAME=FILE",
            description =
                    "A file that the package manager alone reads, at /run/secrets/NAME, such as npmrc or pip.conf.")
    private @Nullable Map<String, Path> secrets;

    @Option(
            names = "--with",
            paramLabel = "TOOL",
            description = "What runs the package manager: docker, podman, nerdctl or ctr (default: the first that is"
                    + " installed).")
    private @Nullable String tool;

    @Option(
            names = "--fresh",
            description = "Install the libraries although an earlier build had the same dependencies.")
    private boolean fresh;

    @Option(names = "--start", paramLabel = "early|complete", description = "As in: faasimage register.")
    private @Nullable String start;

    @Option(names = "--fill", paramLabel = "none|idle", description = "As in: faasimage register.")
    private @Nullable String fill;

    /** The request to build the code in {@code directory}. */
    public FunctionBuild.Request request(Path directory, ServiceClient registry) throws IOException {
        String function = name == null
                ? String.valueOf(directory.toAbsolutePath().normalize().getFileName())
                        .toLowerCase(Locale.ROOT)
                : name;
        SortedMap<String, String> environment = new TreeMap<>();
        List<String> passed = new ArrayList<>();
        for (String variable : variables == null ? List.<String>of() : variables) {
            int equals = variable.indexOf('=');
            if (!variable.matches("[A-Za-z_][A-Za-z0-9_]*(=(?s:.*))?")) {
                throw new IOException("'" + variable + "' is no variable; write --env NAME=VALUE, or --env NAME");
            } else if (equals < 0) {
                passed.add(variable);
            } else {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        Installation installation = new Installation(
                tool == null ? Optional.empty() : Optional.of(ContainerTool.parse(tool)),
                secrets == null ? new TreeMap<>() : new TreeMap<>(secrets),
                passed,
                fresh);
        return new FunctionBuild.Request(
                function, directory, Runtimes.of(runtime), target(function, registry), environment, installation);
    }

    private String target(String function, ServiceClient registry) throws IOException {
        Optional<FunctionInfo> present = registry.functions().stream()
                .filter(registered -> registered.name().equals(function))
                .findFirst();
        if (image == null) {
            return present.map(FunctionInfo::image)
                    .orElseThrow(() -> new IOException("no function '" + function
                            + "' is registered, so say where its image is pushed: --image REGISTRY/NAME:TAG"));
        }
        String wanted;
        try {
            wanted = ImageReference.parse(image).toString();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (present.isPresent() && !present.get().image().equals(wanted)) {
            throw new IOException("function '" + function + "' is registered with image "
                    + present.get().image() + "; delete it first, or choose another name");
        }
        return wanted;
    }

    /** A builder that shows what it does on {@code messages}, if anywhere. */
    public static FunctionBuild builder(Optional<PrintWriter> messages) {
        @Nullable String cache = System.getenv("XDG_CACHE_HOME");
        return new FunctionBuild(
                (cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache))
                        .resolve("faasimage"),
                line -> messages.ifPresent(out -> {
                    out.println("build: " + Printable.line(line));
                    out.flush();
                }));
    }

    /** Registers what was built. */
    public FunctionInfo register(FunctionBuild.Request built, ServiceClient registry) throws IOException {
        return registry.register(new FunctionRequest(
                built.function(),
                built.image(),
                built.runtime().name(),
                READY,
                start == null ? null : StartMode.parse(start),
                fill == null ? null : FillMode.parse(fill)));
    }
}
