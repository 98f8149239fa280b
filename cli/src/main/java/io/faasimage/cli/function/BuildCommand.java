package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage build DIR}. */
@Command(
        name = "build",
        description = "Builds a function's image from its code, pushes it, and registers the function.")
public final class BuildCommand extends ServiceCommand {
    @Parameters(paramLabel = "DIR", description = "Directory with the function's code.")
    private Path directory;

    @Option(
            names = "--runtime",
            required = true,
            description = "Language and version, such as python3.12, or the language alone; see: faasimage new --help.")
    private String runtime;

    @Option(names = "--name", description = "Name of the function (default: the directory's).")
    private @Nullable String name;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Memory of its containers, such as 128Mi.")
    private @Nullable String memory;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "An environment variable of the function.")
    private @Nullable Map<String, String> environment;

    @Option(names = "--tag", description = "Tag of the image (default: latest).")
    private @Nullable String tag;

    @Option(names = "--start", paramLabel = "early|complete", description = "As in: faasimage register.")
    private @Nullable String start;

    @Option(names = "--fill", paramLabel = "none|idle", description = "As in: faasimage register.")
    private @Nullable String fill;

    @Option(names = "--no-wait", description = "Return when the build is accepted; see: faasimage builds.")
    private boolean noWait;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        checkRuntime(registry.languages());
        BuildRequest request = new BuildRequest(
                name == null ? defaultName(directory) : name,
                runtime,
                memory,
                environment,
                tag,
                start == null ? null : StartMode.parse(start),
                fill == null ? null : FillMode.parse(fill));
        try (SourceArchive archive = SourceArchive.of(directory)) {
            BuildInfo accepted = registry.build(request, archive.file());
            BuildInfo build = noWait ? accepted : new BuildWait(registry, output.messages()).untilDone(accepted);
            output.print(build, out -> {
                if (build.digest() == null) {
                    out.println("accepted build " + build.id() + " of " + build.function());
                } else {
                    out.println("built " + build.function() + " (" + build.image() + ")");
                    out.println("  digest " + build.digest());
                    out.println(
                            "  next   its first start on a node is traced, or run: faasimage trace " + build.image());
                }
            });
        }
    }

    /** Before the code is read and sent. */
    private void checkRuntime(List<LanguageInfo> languages) throws IOException {
        List<String> runtimes = languages.stream()
                .flatMap(language -> language.runtimes().stream())
                .toList();
        if (!runtimes.contains(runtime)
                && languages.stream().noneMatch(language -> language.name().equals(runtime))) {
            throw new IOException("unknown runtime '" + runtime + "'; known are " + String.join(", ", runtimes));
        }
    }

    private static String defaultName(Path directory) {
        return String.valueOf(directory.toAbsolutePath().normalize().getFileName())
                .toLowerCase(Locale.ROOT);
    }
}
