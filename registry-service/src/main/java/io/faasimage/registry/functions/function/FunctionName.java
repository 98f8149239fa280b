package io.faasimage.registry.functions.function;

import io.faasimage.registry.platform.problem.ProblemException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a function.
 *
 * @param text 1 to 253 of {@code a-z 0-9 . _ -}, with a letter or digit at both ends
 */
public record FunctionName(String text) {
    private static final Pattern FORM = Pattern.compile("[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?");

    /** Checks the form. */
    public FunctionName {
        if (!FORM.matcher(text).matches()) {
            throw ProblemException.badRequest("not a function name: '" + abbreviated(text)
                    + "'; use 1 to 253 of a-z, 0-9, '.', '_' and '-', with a letter or digit at both ends");
        }
    }

    /** The name that a request gives. */
    public static FunctionName of(@Nullable String text) {
        if (text == null) {
            throw ProblemException.badRequest("the function has no 'name'; give one");
        }
        return new FunctionName(text);
    }

    private static String abbreviated(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }

    @Override
    public String toString() {
        return text;
    }
}
