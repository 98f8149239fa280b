package io.faasimage.api.option;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of a command line's options. The errors of all methods are {@link IllegalArgumentException}s whose
 * messages are for the user.
 *
 * @param <O> the program's options
 */
public final class OptionValues<O extends Option> {
    private static final int MOST_DIGITS = 9;

    private final Map<O, List<String>> values;

    OptionValues(Map<O, List<String>> values) {
        this.values = values;
    }

    /** All values of an option, in their order. */
    public List<String> all(O option) {
        return List.copyOf(values.getOrDefault(option, List.of()));
    }

    /** The value of an option, the last if there are several. */
    public Optional<String> text(O option) {
        List<String> given = all(option);
        return given.isEmpty() ? Optional.empty() : Optional.of(given.getLast());
    }

    /** The value of an option, else {@code byDefault}. */
    public String text(O option, String byDefault) {
        return text(option).orElse(byDefault);
    }

    /** The value of an option that must be given. */
    public String required(O option) {
        return text(option).orElseThrow(() -> new IllegalArgumentException(option.option() + " is missing"));
    }

    /** A number from {@code least} to {@code most}, else {@code byDefault}. */
    public int number(O option, int byDefault, int least, int most) {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return byDefault;
        }
        boolean digits = text.get().matches("[0-9]{1," + MOST_DIGITS + "}");
        int number = digits ? Integer.parseInt(text.get()) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    option.option() + " must be " + least + " to " + most + ", not '" + text.get() + "'");
        }
        return number;
    }
}
