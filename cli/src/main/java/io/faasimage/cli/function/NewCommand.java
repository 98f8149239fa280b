package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LanguageInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code faasimage new LANGUAGE NAME}. */
public final class NewCommand extends ServiceCommand {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?");

    private final Argument<String> language = arguments.parameter("LANGUAGE", "For example python, or python3.12.");
    private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");
    private final Argument<Path> into =
            arguments.option("--into", "DIR", "Where it is written (default: ./NAME).", Path::of);

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (!NAME.matcher(name.get()).matches()) {
            throw new IOException("not a function name: '" + name.get()
                    + "'; use 1 to 253 of a-z, 0-9, '.', '_' and '-', with a letter or digit at both ends");
        }
        Path directory = into.orNull() == null ? Path.of(name.get()) : into.orNull();
        LanguageInfo chosen = choose(registry.builds().languages());
        write(directory, new TreeMap<>(chosen.template()));
        output.print(Map.of("directory", directory.toString(), "runtime", runtime(chosen)), out -> {
            out.println("wrote " + directory + ": "
                    + chosen.template().keySet().stream().sorted().collect(Collectors.joining(", ")));
            out.println("build it with: faasimage build " + directory + " --runtime " + runtime(chosen) + " --name "
                    + name.get());
        });
    }

    private LanguageInfo choose(List<LanguageInfo> languages) throws IOException {
        return languages.stream()
                .filter(l -> l.name().equals(language.get()) || l.runtimes().contains(language.get()))
                .findFirst()
                .orElseThrow(() -> new IOException("unknown language '" + language.get() + "'; known are "
                        + languages.stream().map(LanguageInfo::name).collect(Collectors.joining(", "))));
    }

    private String runtime(LanguageInfo chosen) {
        return chosen.runtimes().contains(language.get()) ? language.get() : chosen.runtime();
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
            Files.writeString(place, file.getValue().replace("{{name}}", name.get()));
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
