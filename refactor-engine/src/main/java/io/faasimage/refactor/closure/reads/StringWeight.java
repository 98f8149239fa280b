package io.faasimage.refactor.closure.reads;

import java.util.Collection;
import java.util.Map;

/** An estimate of the memory that the strings of a parser's result take, for {@link ContentParser#weight}. */
public final class StringWeight {
    /** About what a string takes besides its chars: two objects, and its place in a set. */
    private static final long STRING_BYTES = 96;

    private StringWeight() {}

    /** Bytes of one string. */
    public static long of(String string) {
        return STRING_BYTES + string.length();
    }

    /** Bytes of some strings. */
    public static long of(Collection<String> strings) {
        return strings.stream().mapToLong(StringWeight::of).sum();
    }

    /** Bytes of keys and their strings. */
    public static long of(Map<String, ? extends Collection<String>> strings) {
        return of(strings.keySet())
                + strings.values().stream().mapToLong(StringWeight::of).sum();
    }
}
