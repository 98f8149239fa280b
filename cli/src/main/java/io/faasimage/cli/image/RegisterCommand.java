package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage register IMAGE}. */
@Command(
        name = "register",
        description = "Registers a function's image. Its first start is traced; then its cold starts are short.")
public final class RegisterCommand extends ServiceCommand {
    @Parameters(paramLabel = "IMAGE", description = "Reference as the platform deploys it.")
    private String image;

    @Option(names = "--name", description = "Name of the function (default: last part of the reference).")
    private @Nullable String name;

    @Option(names = "--runtime", description = "Name of its runtime.")
    private @Nullable String runtime;

    @Option(names = "--readiness-port", description = "A start is over when a GET on this port answers 2xx ...")
    private @Nullable Integer readinessPort;

    @Option(
            names = "--readiness-path",
            description = "... at this path (default: ${DEFAULT-VALUE}).",
            defaultValue = "/")
    private String readinessPath;

    @Option(
            names = "--start",
            paramLabel = "early|complete",
            description = "Start containers while their files arrive, or when all are present (default: the node's).")
    private @Nullable String start;

    @Option(
            names = "--fill",
            paramLabel = "none|idle",
            description =
                    "Fetch the rest of the image on demand only, or while no start is waiting (default: the node's).")
    private @Nullable String fill;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Readiness readiness = readinessPort == null ? null : new Readiness(readinessPort, readinessPath);
        String functionName = name == null ? defaultName(image) : name;
        FunctionInfo function = registry.register(new FunctionRequest(
                functionName,
                image,
                runtime,
                readiness,
                start == null ? null : StartMode.parse(start),
                fill == null ? null : FillMode.parse(fill)));
        output.print(function, out -> {
            out.println("registered " + function.name() + " (" + function.image() + ")");
            out.println("  digest " + function.digest());
            out.println("  state  " + function.state() + hint(function));
        });
    }

    private static String hint(FunctionInfo function) {
        return switch (function.state()) {
            case UNTRACED -> ": the next first start on a node is traced, or run: faasimage trace " + function.image();
            case REFACTORING -> ": see faasimage jobs";
            case PLANNED -> ": cold starts use the plan";
            case FAILED -> ": see faasimage image inspect " + function.image();
        };
    }

    /** The repository's last component: {@code host:5000/a/hello:1} is {@code hello}. */
    public static String defaultName(String image) {
        String withoutDigest = image.replaceFirst("@.*$", "");
        String last = withoutDigest.substring(withoutDigest.lastIndexOf('/') + 1);
        return last.replaceFirst(":.*$", "").toLowerCase(Locale.ROOT);
    }
}
