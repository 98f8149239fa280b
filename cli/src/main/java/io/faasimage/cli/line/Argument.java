package io.faasimage.cli.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An option or a parameter of a command, and its value: from the command line, else from a variable of the environment,
 * else a default.
 *
 * @param <T> type of the value
 */
public final class Argument<T> {
    private final String name;
    private final String label;
    private final String help;
    private final Function<List<String>, @Nullable T> type;
    private final List<String> given = new ArrayList<>();
    private String alias = "";
    private @Nullable String variable;
    private @Nullable String fallback;
    private boolean required;

    /**
     * An argument without a value.
     *
     * @param name with its hyphens; empty for a parameter
     * @param label the kind of its value: {@code FILE}, or its choices, {@code early|complete}; empty for a flag
     * @param type makes the value of the texts, null of none
     */
    Argument(String name, String label, String help, Function<List<String>, @Nullable T> type) {
        this.name = name;
        this.label = label;
        this.help = help;
        this.type = type;
    }

    /** Another name of the option. */
    public Argument<T> alias(String shorter) {
        alias = shorter;
        return this;
    }

    /** The variable of the environment that has the value where the command line has none. */
    public Argument<T> from(String environmentVariable) {
        variable = environmentVariable;
        return this;
    }

    /** The value where neither has one. */
    public Argument<T> or(String text) {
        fallback = text;
        return this;
    }

    /** Makes an error of a missing value. */
    public Argument<T> required() {
        required = true;
        return this;
    }

    /** The value, which is there: the argument is required, or has a default. */
    public T get() {
        T value = orNull();
        if (value == null) {
            throw new IllegalArgumentException(title() + " is missing");
        }
        return value;
    }

    /** The value; null if there is none. */
    public @Nullable T orNull() {
        List<String> texts = given.isEmpty() ? absent(System.getenv()) : given;
        try {
            return type.apply(texts);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    title() + " must be " + (isFlag() ? "true or false" : label) + ", not '" + String.join(" ", texts)
                            + "'",
                    e);
        }
    }

    private List<String> absent(Map<String, String> environment) {
        String text = variable == null ? null : environment.get(variable);
        String value = text == null || text.isEmpty() ? fallback : text;
        return value == null ? List.of() : List.of(value);
    }

    void give(String text) {
        given.add(text);
    }

    /** Fails if the value is missing or invalid. */
    void check() {
        if (required) {
            get();
        } else {
            orNull();
        }
    }

    boolean isOption() {
        return !name.isEmpty();
    }

    boolean isFlag() {
        return label.isEmpty();
    }

    /** Its names, as an option. */
    List<String> names() {
        return alias.isEmpty() ? List.of(name) : List.of(name, alias);
    }

    /** The values to choose from; none if any will do. */
    List<String> choices() {
        return label.contains("|") ? List.of(label.split("\\|", -1)) : List.of();
    }

    /** Its name in messages. */
    String title() {
        return isOption() ? name : label;
    }

    /** Its place in the line of usage: in brackets when it may be left out. */
    String usage() {
        String text = isOption() ? name + " " + label : label;
        return required ? text : "[" + text + "]";
    }

    boolean isRequired() {
        return required;
    }

    /** The first column of the help. */
    String syntax() {
        String names = isOption() ? (alias.isEmpty() ? "" : alias + ", ") + name : "";
        return (names + " " + label).strip();
    }

    /** The second column of the help. */
    String help() {
        String otherwise =
                variable == null ? fallback : "$" + variable + (fallback == null ? "" : ", else " + fallback);
        return otherwise == null || help.contains("(default: ")
                ? help
                : help.replaceFirst("\\.$", "") + " (default: " + otherwise + ").";
    }
}
