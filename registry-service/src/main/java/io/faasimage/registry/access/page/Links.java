package io.faasimage.registry.access.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parts of the addresses that pages link to, and image references as they show them. */
public final class Links {
    private Links() {}

    /** The filter of a list as part of an address, which more parameters may follow. */
    public static String filter(String query, @Nullable Enum<?> state) {
        String text = query.isEmpty() ? "" : "q=" + encoded(query) + "&";
        return text + (state == null ? "" : "state=" + state.name() + "&");
    }

    /** An image's reference without the host of its registry. */
    public static String withoutHost(String reference) {
        int slash = reference.indexOf('/');
        String first = slash < 0 ? "" : reference.substring(0, slash);
        boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
        return host ? reference.substring(slash + 1) : reference;
    }

    /** Text as part of an address. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
