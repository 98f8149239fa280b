package io.faasimage.registry.access.web;

import io.faasimage.registry.platform.problem.ProblemException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parameters that are one of a few words, in either case. Stateless. */
public final class EnumParameters {
    private EnumParameters() {}

    /** The constant of this name; null when nothing is given. */
    public static <E extends Enum<E>> @Nullable E parse(Class<E> type, String name, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw ProblemException.badRequest("'" + name + "' is one of "
                + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
    }
}
