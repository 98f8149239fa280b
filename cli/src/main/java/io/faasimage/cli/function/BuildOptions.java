package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.line.ArgumentGroup;
import io.faasimage.cli.line.Arguments;
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
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of the commands that build a function from its code. */
public final class BuildOptions implements ArgumentGroup {
    private static final Readiness READY = new Readiness(8080, "/_/ready");

    private final Arguments arguments = new Arguments();
    private final Argument<String> runtime = arguments
            .option(
                    "--runtime",
                    "NAME",
                    "Language and version, such as python3.12, or the language alone; or a YAML file of your own.")
            .required();
    private final Argument<String> name =
            arguments.option("--name", "FUNCTION", "Name of the function (default: the directory's).");
    private final Argument<String> image = arguments.option(
            "--image", "REF", "Where the image is pushed (default: the image that the function is registered with).");
    private final Argument<List<String>> variables = arguments.each(
            "--env",
            "NAME[=VALUE]",
            "With a value, an environment variable of the function. A name alone: the package manager gets that "
                    + "variable of this command; the image does not.");
    private final Argument<List<String>> secrets = arguments.each(
            "--secret",
            "NAME=FILE",
            "A file that the package manager alone reads, at /run/secrets/NAME, such as npmrc or pip.conf.");
    private final Argument<String> tool = arguments.option(
            "--with",
            "docker|podman|nerdctl|ctr",
            "What runs the package manager (default: the first that is installed).");
    private final Argument<Boolean> fresh =
            arguments.flag("--fresh", "Install the libraries although an earlier build had the same dependencies.");
    private final Argument<String> start = arguments.option("--start", "early|complete", "As in: faasimage register.");
    private final Argument<String> fill = arguments.option("--fill", "none|idle", "As in: faasimage register.");

    @Override
    public Arguments arguments() {
        return arguments;
    }

    /** The request to build the code in {@code directory}. */
    public FunctionBuild.Request request(Path directory, ServiceClient registry) throws IOException {
        String function = Objects.requireNonNullElseGet(
                name.orNull(),
                () -> String.valueOf(directory.toAbsolutePath().normalize().getFileName())
                        .toLowerCase(Locale.ROOT));
        SortedMap<String, String> environment = new TreeMap<>();
        List<String> passed = new ArrayList<>();
        for (String variable : variables.get()) {
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
                tool.orNull() == null ? Optional.empty() : Optional.of(ContainerTool.parse(tool.get())),
                secrets(),
                passed,
                fresh.get());
        return new FunctionBuild.Request(
                function, directory, Runtimes.of(runtime.get()), target(function, registry), environment, installation);
    }

    private SortedMap<String, Path> secrets() throws IOException {
        SortedMap<String, Path> files = new TreeMap<>();
        for (String secret : secrets.get()) {
            int equals = secret.indexOf('=');
            if (equals < 1 || equals == secret.length() - 1) {
                throw new IOException("--secret must be NAME=FILE, not '" + secret + "'");
            }
            files.put(secret.substring(0, equals), Path.of(secret.substring(equals + 1)));
        }
        return files;
    }

    private String target(String function, ServiceClient registry) throws IOException {
        Optional<FunctionInfo> present = registry.functions().stream()
                .filter(registered -> registered.name().equals(function))
                .findFirst();
        String reference = image.orNull();
        if (reference == null) {
            return present.map(FunctionInfo::image)
                    .orElseThrow(() -> new IOException("no function '" + function
                            + "' is registered, so say where its image is pushed: --image REGISTRY/NAME:TAG"));
        }
        String wanted;
        try {
            wanted = ImageReference.parse(reference).toString();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (present.isPresent() && !present.get().image().equals(wanted)) {
            throw new IOException("function '" + function + "' is registered with image "
                    + present.get().image() + "; delete it first, or choose another name");
        }
        return wanted;
    }

    /** A builder that shows its progress on {@code messages}, if anywhere. */
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

    /** Registers the built function. */
    public FunctionInfo register(FunctionBuild.Request built, ServiceClient registry) throws IOException {
        return registry.register(new FunctionRequest(
                built.function(),
                built.image(),
                built.runtime().name(),
                READY,
                start.orNull() == null ? null : StartMode.parse(start.get()),
                fill.orNull() == null ? null : FillMode.parse(fill.get())));
    }
}
