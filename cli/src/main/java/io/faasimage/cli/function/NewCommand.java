package io.faasimage.cli.function;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.function.runtime.FunctionRuntime;
import io.faasimage.function.runtime.Runtimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code faasimage new LANGUAGE NAME}. */
public final class NewCommand extends CliCommand {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?");

    private final Argument<String> language =
            arguments.parameter("LANGUAGE", "For example python, or python3.12; or a YAML file of your own.");
    private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");
    private final Argument<Path> into =
            arguments.option("--into", "DIR", "Where it is written (default: ./NAME).", Path::of);

    @Override
    protected void run() throws IOException {
        String function = name.get();
        if (!NAME.matcher(function).matches()) {
            throw new IOException("not a function name: '" + function
                    + "'; use 1 to 253 of a-z, 0-9, '.', '_' and '-', with a letter or digit at both ends");
        }
        Path directory = Objects.requireNonNullElse(into.orNull(), Path.of(function));
        FunctionRuntime runtime = Runtimes.of(language.get());
        write(directory, runtime.template(function));
        String chosen = language.get().endsWith(".yaml") ? language.get() : runtime.name();
        output.print(Map.of("directory", directory.toString(), "runtime", chosen), out -> {
            out.println("wrote " + directory + ": "
                    + String.join(", ", runtime.template().keySet()));
            out.println("build it with: faasimage build " + directory + " --runtime " + chosen + " --name " + function
                    + " --image REGISTRY/" + function);
        });
    }

    private void write(Path directory, Map<String, String> template) throws IOException {
        if (template.isEmpty()) {
            throw new IOException("the language '" + language.get() + "' has no template");
        }
        if (Files.exists(directory) && !isEmpty(directory)) {
            throw new IOException(directory + " already exists; choose another name, or another directory with --into");
        }
        Path top = Files.createDirectories(directory).toRealPath();
        for (Map.Entry<String, String> file : template.entrySet()) {
            Path place = top.resolve(file.getKey()).normalize();
            if (!place.startsWith(top) || place.equals(top)) {
                throw new IOException("the template has a file outside of the function: '" + file.getKey() + "'");
            }
            Files.createDirectories(place.getParent());
            Files.writeString(place, file.getValue());
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.findAny().isEmpty();
        }
    }
}
