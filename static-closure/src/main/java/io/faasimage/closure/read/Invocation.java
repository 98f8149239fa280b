package io.faasimage.closure.read;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command that a start runs.
 *
 * @param words the program and its arguments; not empty
 * @param environment by name
 * @param directory working directory
 * @param by path of the file that names the command; empty for the image's configuration
 * @param confidence how probable it is
 */
public record Invocation(
        List<String> words, Map<String, String> environment, String directory, String by, double confidence) {
    public Invocation {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("a command has at least one word");
        }
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** The command of an image's configuration, with {@code NAME=value} variables; absent without words. */
    public static Optional<Invocation> ofImage(List<String> words, List<String> variables, String directory) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        String in = directory.isEmpty() ? "/" : directory;
        return words.isEmpty() ? Optional.empty() : Optional.of(new Invocation(words, environment, in, "", 1));
    }

    /** The program as named. */
    public String program() {
        return words.getFirst();
    }

    /** The words after the program. */
    public List<String> arguments() {
        return words.subList(1, words.size());
    }

    /** Other words in the same place. */
    public Invocation withWords(List<String> other) {
        return new Invocation(other, environment, directory, by, confidence);
    }

    /** The same command as a file names it. */
    public Invocation namedBy(String file) {
        return new Invocation(words, environment, directory, file, confidence);
    }

    /** The same command, so much less probable. */
    public Invocation times(double factor) {
        return new Invocation(words, environment, directory, by, confidence * factor);
    }

    /** The same command with one more variable in its environment. */
    public Invocation with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new Invocation(words, more, directory, by, confidence);
    }

    /** A path as the command's process sees it. */
    public String absolute(String path) {
        return path.startsWith("/") ? path : directory + "/" + path;
    }

    /** A variable of the environment; empty when it is not set. */
    public String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
