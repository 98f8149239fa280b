package io.faasimage.builder.runtime;

import io.faasimage.refactor.host.HostNames;
import io.faasimage.refactor.image.ImageLocation;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One version of a language: all that is needed to make an image of a function's code.
 *
 * @param name such as {@code python3.12}
 * @param image that functions are built on
 * @param installImage that libraries are installed in; mostly {@code image}
 * @param handler the file that a function must have
 * @param dependencies files and directories of the function that the installation sees; a function with none of them
 *     has no libraries
 * @param credentials files of the function with passwords, which the installation sees and no layer has
 * @param registries hosts of the package registries that the installation reaches
 * @param libraries directory of the image that libraries are installed into
 * @param install script for {@code /bin/sh} that installs them, run in {@link #FUNCTION}
 * @param environment of the image
 * @param command words that start the server, without white space: of-watchdog splits there
 * @param files of the image, by absolute path: the server that calls the handler
 */
public record FunctionRuntime(
        String name,
        ImageLocation image,
        ImageLocation installImage,
        String handler,
        List<String> dependencies,
        List<String> credentials,
        List<String> registries,
        String libraries,
        String install,
        SortedMap<String, String> environment,
        List<String> command,
        SortedMap<String, String> files) {
    /** Where a function's code lies in its image. */
    public static final String FUNCTION = "/home/app/function";

    private static final Pattern ABSOLUTE = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)+");
    private static final Pattern RELATIVE =
            Pattern.compile("(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)*");
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Copies the collections and checks paths and names. */
    public FunctionRuntime {
        dependencies = List.copyOf(dependencies);
        credentials = List.copyOf(credentials);
        registries = new HostNames(registries).entries();
        command = List.copyOf(command);
        environment = new TreeMap<>(environment);
        files = new TreeMap<>(files);
        require(RELATIVE, "handler", handler);
        require(ABSOLUTE, "libraries", libraries);
        dependencies.forEach(path -> require(RELATIVE, "dependencies", path));
        credentials.forEach(path -> require(RELATIVE, "credentials", path));
        files.keySet().forEach(path -> require(ABSOLUTE, "files", path));
        environment.keySet().forEach(variable -> require(VARIABLE, "environment", variable));
        if (command.isEmpty()) {
            throw new IllegalArgumentException("'command' is empty; it must be the command that starts the server");
        }
        command.forEach(word -> require(WORD, "command", word));
        if (libraries.equals(FUNCTION)
                || libraries.startsWith(FUNCTION + "/")
                || FUNCTION.startsWith(libraries + "/")) {
            throw new IllegalArgumentException("'libraries' must be a directory beside " + FUNCTION);
        }
    }

    private static void require(Pattern form, String field, String value) {
        if (!form.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + field + "' has '" + value + "', which has the wrong form");
        }
    }

    /** All files and directories of the function that the installation sees. */
    public List<String> installed() {
        return Stream.concat(dependencies.stream(), credentials.stream()).toList();
    }

    /** What the variables of {@code more} add to, or replace of, the image's environment. */
    public static SortedMap<String, String> merged(Map<String, String> first, Map<String, String> more) {
        SortedMap<String, String> all = new TreeMap<>(first);
        all.putAll(more);
        return all;
    }
}
