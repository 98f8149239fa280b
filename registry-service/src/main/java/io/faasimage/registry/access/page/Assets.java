package io.faasimage.registry.access.page;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.zip.GZIPOutputStream;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** The style sheet, scripts and icon of the pages, read once; their addresses change with their content. Immutable. */
@Lazy
@Component
final class Assets {
    private static final String SCRIPT = "text/javascript;charset=UTF-8";
    private static final int HASH_CHARS = 12;

    /**
     * One file.
     *
     * @param type media type
     * @param path below {@code /ui/assets/}
     * @param bytes content
     * @param zipped the same, compressed by gzip
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Asset(String type, String path, byte[] bytes, byte[] zipped) {}

    private final Map<String, Asset> byName = new LinkedHashMap<>();

    Assets() throws IOException {
        add("app.css", "text/css;charset=UTF-8", "ui/app.css");
        add("app.js", SCRIPT, "ui/app.js");
        add("plots.js", SCRIPT, "ui/plots.js");
        add("icon.svg", "image/svg+xml", "ui/icon.svg");
        addLibrary("htmx.js", "htmx.org", "htmx.min.js");
        addLibrary("chart.js", "chart.js", "chart.umd.min.js");
    }

    /** A script of a library from Maven Central, of the version that is in the class path. */
    private void addLibrary(String name, String artifact, String file) throws IOException {
        Properties described = new Properties();
        try (InputStream in = open("META-INF/maven/org.webjars.npm/" + artifact + "/pom.properties")) {
            described.load(in);
        }
        add(
                name,
                SCRIPT,
                "META-INF/resources/webjars/" + artifact + "/" + described.getProperty("version") + "/dist/" + file);
    }

    private void add(String name, String type, String resource) throws IOException {
        try (InputStream in = open(resource)) {
            byte[] bytes = in.readAllBytes();
            String path = Digest.of(bytes).hex().substring(0, HASH_CHARS) + "/" + name;
            byName.put(name, new Asset(type, path, bytes, zipped(bytes)));
        }
    }

    private static byte[] zipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(bytes);
        }
        return zipped.toByteArray();
    }

    private static InputStream open(String resource) {
        return Objects.requireNonNull(
                Assets.class.getClassLoader().getResourceAsStream(resource),
                () -> resource + " is not in the service's class path; rebuild the service");
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
