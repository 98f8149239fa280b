package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.line.ArgumentGroup;
import io.faasimage.cli.line.Arguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of the commands that build a function from its code. */
public final class BuildOptions implements ArgumentGroup {
    private final Arguments arguments = new Arguments();

    private final Argument<String> runtime = arguments
            .option(
                    "--runtime",
                    "NAME",
                    "Language and version, such as python3.12, or the language alone; see: faasimage new --help.")
            .required();

    private final Argument<String> name =
            arguments.option("--name", "NAME", "Name of the function (default: the directory's).");
    private final Argument<String> memory =
            arguments.option("--memory", "SIZE", "Memory of its containers, such as 128Mi.");
    private final Argument<List<String>> environment =
            arguments.each("--env", "NAME=VALUE", "An environment variable of the function.");
    private final Argument<String> tag = arguments.option("--tag", "TAG", "Tag of the image (default: latest).");
    private final Argument<String> start = arguments.option("--start", "early|complete", "As in: faasimage register.");
    private final Argument<String> fill = arguments.option("--fill", "none|idle", "As in: faasimage register.");
    private final Argument<Boolean> fresh =
            arguments.flag("--fresh", "Install the libraries although an earlier build had the same dependencies.");
    private final Argument<List<String>> secrets = arguments.each(
            "--secret",
            "id=NAME,src=FILE",
            "A file that the installation of the libraries alone reads, at /run/secrets/NAME, such as "
                    + "npmrc or pip.conf; or id=NAME,env=VARIABLE. May be given several times.");

    @Override
    public Arguments arguments() {
        return arguments;
    }

    private @Nullable Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String text : environment.get()) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("--env must be NAME=VALUE, not '" + text + "'");
            }
            variables.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return variables.isEmpty() ? null : variables;
    }

    /** The request to build the code in {@code directory}. */
    public BuildRequest request(Path directory) {
        return new BuildRequest(
                name.orNull() == null ? defaultName(directory) : name.orNull(),
                runtime.get(),
                memory.orNull(),
                environment(),
                tag.orNull(),
                start.orNull() == null ? null : StartMode.parse(start.orNull()),
                fill.orNull() == null ? null : FillMode.parse(fill.orNull()),
                fresh.get() ? true : null);
    }

    /** The contents of the secrets, by their ids. */
    public Map<String, byte[]> secrets() throws IOException {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        for (String text : secrets.get()) {
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
        if (!runtimes.contains(runtime.get())
                && languages.stream().noneMatch(language -> language.name().equals(runtime.get()))) {
            throw new IOException("unknown runtime '" + runtime.get() + "'; known are " + String.join(", ", runtimes));
        }
    }

    private static String defaultName(Path directory) {
        return String.valueOf(directory.toAbsolutePath().normalize().getFileName())
                .toLowerCase(Locale.ROOT);
    }
}
