package io.faasimage.cli.line;

import io.faasimage.api.option.Nearest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The arguments that a command declares, and their parser. No reflection, which would take longer than a pull. */
public final class Arguments {
    private final List<Argument<?>> declared = new ArrayList<>();
    private @Nullable Argument<List<String>> rest;

    /** An option without a value. */
    public Argument<Boolean> flag(String name, String help) {
        return add(new Argument<>(name, "", help, texts -> !texts.isEmpty() && truth(texts.getLast())));
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    /** An option with a text. */
    public Argument<String> option(String name, String label, String help) {
        return option(name, label, help, text -> text);
    }

    /** An option with a value of {@code type}. */
    public <T> Argument<T> option(String name, String label, String help, Function<String, T> type) {
        return add(new Argument<>(name, label, help, texts -> texts.isEmpty() ? null : type.apply(texts.getLast())));
    }

    /** An option that may be given several times. */
    public Argument<List<String>> each(String name, String label, String help) {
        return add(new Argument<>(name, label, help, List::copyOf));
    }

    /** An option with values that commas separate. */
    public <T> Argument<List<T>> list(String name, String label, String help, Function<String, T> type) {
        return add(new Argument<>(
                name,
                label,
                help,
                texts -> texts.stream()
                        .flatMap(text -> Stream.of(text.split(",", -1)))
                        .map(type)
                        .toList()));
    }

    /** A parameter that must be there. */
    public Argument<String> parameter(String label, String help) {
        return parameter(label, help, text -> text);
    }

    /** A parameter of {@code type} that must be there. */
    public <T> Argument<T> parameter(String label, String help, Function<String, T> type) {
        return option("", label, help, type).required();
    }

    /** All further parameters. */
    public Argument<List<String>> rest(String label, String help) {
        Argument<List<String>> further = each("", label, help);
        rest = further;
        return further;
    }

    /** Declares the arguments of {@code group}, too. */
    public <G extends ArgumentGroup> G with(G group) {
        declared.addAll(group.arguments().declared);
        return group;
    }

    private <T> Argument<T> add(Argument<T> argument) {
        declared.add(argument);
        return argument;
    }

    /**
     * Gives the arguments their values.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    void parse(List<String> words) {
        Deque<Argument<?>> parameters = new ArrayDeque<>(parameters());
        boolean options = true;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (options && word.equals("--")) {
                options = false;
            } else if (options && word.startsWith("-") && word.length() > 1) {
                i += option(word, words.subList(i + 1, words.size()));
            } else if (!parameters.isEmpty()) {
                Argument<?> parameter = parameters.getFirst();
                parameter.give(word);
                if (!parameter.equals(rest)) {
                    parameters.removeFirst();
                }
            } else {
                throw new IllegalArgumentException("unexpected argument '" + word + "'");
            }
        }
        declared.forEach(Argument::check);
    }

    /** Reads an option, and its value from {@code next} unless an equals sign follows; the words taken from there. */
    private int option(String word, List<String> next) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Argument<?> option = named(name)
                .orElseThrow(() -> new IllegalArgumentException("unknown option '" + name + "'"
                        + Nearest.hint(
                                name, options().flatMap(o -> o.names().stream()).toList())));
        if (equals >= 0) {
            option.give(word.substring(equals + 1));
            return 0;
        }
        if (option.isFlag()) {
            option.give("true");
            return 0;
        }
        if (next.isEmpty() || named(next.getFirst()).isPresent()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        option.give(next.getFirst());
        return 1;
    }

    private Optional<Argument<?>> named(String name) {
        for (Argument<?> argument : declared) {
            if (argument.isOption() && argument.names().contains(name)) {
                return Optional.of(argument);
            }
        }
        return Optional.empty();
    }

    /** The options, by their names. */
    Stream<Argument<?>> options() {
        return declared.stream().filter(Argument::isOption).sorted(Comparator.comparing(Argument::title));
    }

    /** The parameters, in their order. */
    List<Argument<?>> parameters() {
        return declared.stream().filter(argument -> !argument.isOption()).toList();
    }
}
