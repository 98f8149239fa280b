package io.faasimage.adapter.openwhisk;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Names of functions at registry-service. */
final class FunctionNames {
    private static final int READABLE = 60;
    private static final int UNIQUE = 16;

    private FunctionNames() {}

    /**
     * The name of an action. Characters that are not permitted here are replaced, and a digest keeps names apart.
     *
     * @param caller distinguishes the callers whose own namespace is meant by {@code _}
     */
    static String of(ActionPath action, String caller) {
        String namespace = action.namespace().equals("_") ? "_ " + caller : action.namespace();
        String whole = namespace + "\n" + action.packageName() + "\n" + action.name();
        return "openwhisk-" + readable(action.name()) + "-" + unique(whole);
    }

    /** The name of a managed runtime. */
    static String ofRuntime(String kind) {
        return "openwhisk-runtime-" + readable(kind) + "-" + unique(kind);
    }

    private static String readable(String text) {
        String plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return plain.substring(0, Math.min(plain.length(), READABLE));
    }

    private static String unique(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8)).hex().substring(0, UNIQUE);
    }
}
