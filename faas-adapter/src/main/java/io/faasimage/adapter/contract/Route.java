package io.faasimage.adapter.contract;

import java.util.Locale;

/** The kind of a request to the provider, as far as the adapter distinguishes requests. */
public enum Route {
    /** An invocation, with any method. */
    INVOKE,
    /** A new function. */
    DEPLOY,
    /** A new version of a function. */
    UPDATE,
    /** The deletion of a function. */
    DELETE,
    /** Another number of replicas for a function. */
    SCALE,
    /** All others. */
    OTHER;

    private static final String FUNCTIONS = "/system/functions";
    private static final String SCALE_FUNCTION = "/system/scale-function/";

    /**
     * The route of a request.
     *
     * @param method such as {@code POST}
     * @param uri path and query, undecoded
     */
    public static Route of(String method, String uri) {
        if (uri.startsWith("/function/")) {
            return INVOKE;
        }
        if (uri.startsWith(SCALE_FUNCTION)) {
            return method.equals("POST") ? SCALE : OTHER;
        }
        if (!uri.startsWith(FUNCTIONS) || !endsOrQuery(uri)) {
            return OTHER;
        }
        return switch (method) {
            case "POST" -> DEPLOY;
            case "PUT" -> UPDATE;
            case "DELETE" -> DELETE;
            default -> OTHER;
        };
    }

    private static boolean endsOrQuery(String uri) {
        return uri.length() == FUNCTIONS.length() || uri.charAt(FUNCTIONS.length()) == '?';
    }

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
