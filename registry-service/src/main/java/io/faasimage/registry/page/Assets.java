package io.faasimage.registry.page;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** The style sheet, scripts and icon of the pages, read once; their addresses change with their content. Immutable. */
@Lazy
@Component
final class Assets {
    private static final String HTMX = "META-INF/maven/org.webjars.npm/htmx.org/pom.properties";
    private static final int HASH_CHARS = 12;

    /**
     * One file.
     *
     * @param type media type
     * @param path below {@code /ui/assets/}
     * @param bytes content
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Asset(String type, String path, byte[] bytes) {}

    private final Map<String, Asset> byName = new LinkedHashMap<>();

    Assets() throws IOException {
        add("app.css", "text/css;charset=UTF-8", "ui/app.css");
        add("app.js", "text/javascript;charset=UTF-8", "ui/app.js");
        add("icon.svg", "image/svg+xml", "ui/icon.svg");
        Properties htmx = new Properties();
        try (InputStream in = open(HTMX)) {
            htmx.load(in);
        }
        add(
                "htmx.js",
                "text/javascript;charset=UTF-8",
                "META-INF/resources/webjars/htmx.org/" + htmx.getProperty("version") + "/dist/htmx.min.js");
    }

    private void add(String name, String type, String resource) throws IOException {
        try (InputStream in = open(resource)) {
            byte[] bytes = in.readAllBytes();
            byName.put(name, new Asset(type, Digest.of(bytes).hex().substring(0, HASH_CHARS) + "/" + name, bytes));
        }
    }

    private static InputStream open(String resource) {
        return Objects.requireNonNull(
                Assets.class.getClassLoader().getResourceAsStream(resource),
                () -> resource + " is not in the service's class path; build it anew");
    }

    /** The address of a file. */
    String address(String name) {
        return "/ui/assets/" + Objects.requireNonNull(byName.get(name), name).path();
    }

    /** The file at a path below {@code /ui/assets/}. */
    Optional<Asset> find(String path) {
        return byName.values().stream()
                .filter(asset -> asset.path().equals(path))
                .findFirst();
    }
}
