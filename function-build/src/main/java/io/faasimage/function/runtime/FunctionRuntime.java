package io.faasimage.function.runtime;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One version of a language: everything that an image of a function's code needs.
 *
 * @param name such as {@code python3.12}
 * @param image that functions are built on
 * @param installImage that libraries are installed in; mostly {@code image}
 * @param handler the file that a function must have
 * @param dependencies files and directories of the function that the installation sees
 * @param credentials files of the function with passwords, which the installation sees and no layer has
 * @param libraries directory of the image that libraries are installed into
 * @param install script for {@code /bin/sh} that installs them, run in {@link #FUNCTION}
 * @param environment of the image
 * @param command words that start the server
 * @param files of the image, by absolute path: the server that calls the handler
 * @param template files of a new function, by path; <code>{{name}}</code> stands for its name
 */
public record FunctionRuntime(
        String name,
        String image,
        String installImage,
        String handler,
        List<String> dependencies,
        List<String> credentials,
        String libraries,
        String install,
        SortedMap<String, String> environment,
        List<String> command,
        SortedMap<String, String> files,
        SortedMap<String, String> template) {
    /** Where a function's code is in its image. */
    public static final String FUNCTION = "/home/app/function";

    private static final Pattern ABSOLUTE = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)+");
    private static final Pattern RELATIVE =
            Pattern.compile("(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)*");
    private static final Pattern NOT_EMPTY = Pattern.compile("(?s).+");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Checks paths and names; a file may leave out fields that can be empty. */
    @SuppressWarnings("ConstantValue")
    public FunctionRuntime {
        dependencies = dependencies == null ? List.of() : List.copyOf(dependencies);
        credentials = credentials == null ? List.of() : List.copyOf(credentials);
        command = command == null ? List.of() : List.copyOf(command);
        installImage = installImage == null ? image : installImage;
        environment = sorted(environment);
        files = sorted(files);
        template = sorted(template);
        require(NOT_EMPTY, "image", image);
        require(NOT_EMPTY, "install", install);
        require(RELATIVE, "handler", handler);
        require(ABSOLUTE, "libraries", libraries);
        require(RELATIVE, "dependencies", dependencies);
        require(RELATIVE, "credentials", credentials);
        require(ABSOLUTE, "files", files.keySet());
        require(RELATIVE, "template", template.keySet());
        require(VARIABLE, "environment", environment.keySet());
        if (command.isEmpty()) {
            throw new IllegalArgumentException("'command' is empty; it must be the command that starts the server");
        }
        if (libraries.equals(FUNCTION)
                || libraries.startsWith(FUNCTION + "/")
                || FUNCTION.startsWith(libraries + "/")) {
            throw new IllegalArgumentException("'libraries' must be a directory beside " + FUNCTION);
        }
    }

    private static SortedMap<String, String> sorted(@Nullable Map<String, String> map) {
        return Collections.unmodifiableSortedMap(map == null ? new TreeMap<>() : new TreeMap<>(map));
    }

    private static void require(Pattern form, String field, Iterable<String> values) {
        values.forEach(value -> require(form, field, value));
    }

    private static void require(Pattern form, String field, @Nullable String value) {
        if (value == null || !form.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + field + "' is '" + value + "', which has the wrong form");
        }
    }

    /** The files of a new function {@code function}, by path. */
    public SortedMap<String, String> template(String function) {
        SortedMap<String, String> filled = new TreeMap<>(template);
        filled.replaceAll((path, text) -> text.replace("{{name}}", function));
        return filled;
    }
}
