package io.faasimage.adapter.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The headers that concern one connection only (RFC 9110, section 7.6.1); framing is left to the codecs. */
final class HopByHop {
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final AsciiString PROXY_CONNECTION = AsciiString.cached("proxy-connection");

    private HopByHop() {}

    /** The protocol in a message's {@code Upgrade}; null when there is none. */
    static @Nullable String upgrade(HttpHeaders headers) {
        return headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                ? headers.get(HttpHeaderNames.UPGRADE)
                : null;
    }

    /** Removes them; {@code Transfer-Encoding} stays, because the codec frames the body by it. */
    static void strip(HttpHeaders headers) {
        if (headers.contains(HttpHeaderNames.CONNECTION)) {
            List<String> options = headers.getAll(HttpHeaderNames.CONNECTION);
            headers.remove(HttpHeaderNames.CONNECTION);
            options.forEach(value -> removeNamed(headers, value));
        }
        headers.remove(KEEP_ALIVE);
        headers.remove(PROXY_CONNECTION);
        headers.remove(HttpHeaderNames.UPGRADE);
        if (headers.contains(HttpHeaderNames.TE)) {
            boolean trailers = headers.containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true);
            headers.remove(HttpHeaderNames.TE);
            if (trailers) {
                headers.set("Te", HttpHeaderValues.TRAILERS);
            }
        }
    }

    /**
     * The headers that {@code Connection} names, except those that frame the body or name the host: a client could
     * remove these otherwise.
     */
    private static void removeNamed(HttpHeaders headers, String value) {
        for (String option : value.split(",")) {
            String name = option.strip();
            if (!name.isEmpty()
                    && !HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)
                    && !HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)
                    && !HttpHeaderNames.TE.contentEqualsIgnoreCase(name)
                    && !HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
                headers.remove(name);
            }
        }
    }

    /** Lets a message switch protocols after {@link #strip} has removed its upgrade. */
    static void setUpgrade(HttpHeaders headers, String protocol) {
        headers.set("Connection", "Upgrade");
        headers.set("Upgrade", protocol);
    }
}
