package io.faasimage.adapter.contract;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A function of the platform.
 *
 * @param name as deployed, with anything in it
 * @param namespace as deployed, with anything in it
 */
public record FunctionKey(String name, String namespace) {
    private static final Pattern PLAIN_NAME = Pattern.compile("[a-z0-9](?:[a-z0-9._-]{0,120}[a-z0-9])?");
    private static final Pattern PLAIN_NAMESPACE = Pattern.compile("[a-z0-9](?:[a-z0-9_-]{0,120}[a-z0-9])?");
    private static final int SHOWN = 60;
    private static final int HASH_DIGITS = 16;

    /** Checks that there is something to name. */
    public FunctionKey {
        if (name.isEmpty() || namespace.isEmpty()) {
            throw new IllegalArgumentException("a function has a name and a namespace");
        }
    }

    /**
     * The name under which it is registered: {@code name.namespace}, or, when one of them is not of the registry's
     * form, the remains of both with a hash of the exact ones, so that no two functions have the same.
     */
    public String registeredName() {
        if (PLAIN_NAME.matcher(name).matches()
                && PLAIN_NAMESPACE.matcher(namespace).matches()) {
            return name + "." + namespace;
        }
        byte[] exact = (name + '\0' + namespace).getBytes(StandardCharsets.UTF_8);
        return "x-" + remains(name) + "-" + Digest.of(exact).hex().substring(0, HASH_DIGITS);
    }

    private static String remains(String text) {
        String plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN);
    }

    /** For logs: one line, without the control characters of the names. */
    @Override
    public String toString() {
        return (name + "." + namespace).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }
}
