package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.util.Locale;

/** {@code faasimage register IMAGE}. */
public final class RegisterCommand extends ServiceCommand {
    private final Argument<String> image = arguments.parameter("IMAGE", "Reference as the platform deploys it.");
    private final Argument<String> name =
            arguments.option("--name", "NAME", "Name of the function (default: last part of the reference).");
    private final Argument<String> runtime = arguments.option("--runtime", "NAME", "Name of its runtime.");
    private final Argument<Integer> readinessPort = arguments.option(
            "--readiness-port", "PORT", "A start is over when a GET on this port answers 2xx ...", Integer::valueOf);
    private final Argument<String> readinessPath =
            arguments.option("--readiness-path", "PATH", "... at this path.").or("/");
    private final Argument<String> start = arguments.option(
            "--start",
            "early|complete",
            "Start containers while their files arrive, or when all are present (default: the node's).");
    private final Argument<String> fill = arguments.option(
            "--fill",
            "none|idle",
            "Fetch the rest of the image on demand only, or while no start is waiting (default: the node's).");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Readiness readiness =
                readinessPort.orNull() == null ? null : new Readiness(readinessPort.orNull(), readinessPath.get());
        String functionName = name.orNull() == null ? defaultName(image.get()) : name.orNull();
        FunctionInfo function = registry.register(new FunctionRequest(
                functionName,
                image.get(),
                runtime.orNull(),
                readiness,
                start.orNull() == null ? null : StartMode.parse(start.orNull()),
                fill.orNull() == null ? null : FillMode.parse(fill.orNull())));
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
