package io.faasimage.closure.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The words of an interpreter's command.
 *
 * @param options before the program
 * @param rest the program, if it is named, and its arguments
 */
record CommandWords(List<Option> options, List<String> rest) {
    /** An option with its value, which is empty without one: behind it, behind an equals sign, or in the next word. */
    record Option(String name, String value) {}

    /** Those of a program whose options {@code withValue} have their value in the next word. */
    static CommandWords of(List<String> words, Set<String> withValue) {
        List<Option> options = new ArrayList<>();
        int at = 0;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && words.get(at).length() > 1) {
            String word = words.get(at++);
            int equals = word.indexOf('=');
            if (withValue.contains(word) && at < words.size()) {
                options.add(new Option(word, words.get(at++)));
            } else if (word.startsWith("--")) {
                options.add(new Option(
                        equals < 0 ? word : word.substring(0, equals), equals < 0 ? "" : word.substring(equals + 1)));
            } else {
                options.add(new Option(word.substring(0, 2), word.substring(2)));
            }
        }
        return new CommandWords(options, words.subList(at, words.size()));
    }
}
