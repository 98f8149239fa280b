package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.job.BuildRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that build a function from its code. */
public final class BuildOptions {
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

    @Option(
            names = "--fresh",
            description = "Install the libraries although an earlier build had the same dependencies.")
    private boolean fresh;

    @Option(
            names = "--secret",
            paramLabel = "id=NAME,src=FILE",
            description =
                    "A file that the installation of the libraries alone reads, at /run/secrets/NAME, such as npmrc"
                            + " or pip.conf; or id=NAME,env=VARIABLE. May be given several times.")
    private @Nullable List<String> secrets;

    /** The request to build the code in {@code directory}. */
    public BuildRequest request(Path directory) {
        return new BuildRequest(
                name == null ? defaultName(directory) : name,
                runtime,
                memory,
                environment,
                tag,
                start == null ? null : StartMode.parse(start),
                fill == null ? null : FillMode.parse(fill),
                fresh ? true : null);
    }

    /** The contents of the secrets, by their ids. */
    public Map<String, byte[]> secrets() throws IOException {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        for (String text : secrets == null ? List.<String>of() : secrets) {
            SecretOption secret = SecretOption.parse(text);
            if (contents.put(secret.id(), secret.read(System.getenv())) != null) {
                throw new IOException("--secret id=" + secret.id() + " is given twice");
            }
        }
        return contents;
    }

    /** Fails unless the service knows the runtime: before the code is read and sent. */
    public void checkRuntime(ServiceClient registry) throws IOException {
        List<LanguageInfo> languages = registry.builds().languages();
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
