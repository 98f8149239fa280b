package io.faasimage.api.rest;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of one request, by which the log of one process is found from that of another. */
public final class RequestId {
    /** The header that has it, in requests and answers. */
    public static final String HEADER = "X-Request-Id";

    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final HexFormat HEX = HexFormat.of();

    private RequestId() {}

    /** A new one. */
    public static String create() {
        return HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** The name that a client gave its request, or a new one when it gave none that may stand in a log. */
    public static String accept(@Nullable String given) {
        return given != null && SANE.matcher(given).matches() ? given : create();
    }
}
