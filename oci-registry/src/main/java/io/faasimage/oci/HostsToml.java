package io.faasimage.oci;

import io.faasimage.api.trust.ClientCertificates.Pair;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * The parser of containerd's {@code hosts.toml}. As in containerd, unknown keys are ignored, and each host has all
 * capabilities unless it says which. The messages of errors do not name the file.
 *
 * @param certificates reads those that the file names
 * @see <a href="https://github.com/containerd/containerd/blob/main/docs/hosts.md">containerd's description</a>
 */
record HostsToml(HostCertificates certificates) {
    private static final TomlMapper TOML = new TomlMapper();
    private static final int MOST_HOSTS = 64;
    private static final String API = "/v2";

    /** The host in a reference; the user's part of a URL is ignored, as containerd does. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+]");

    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e]{0,8192}");

    /** The hosts in the order of the file, and last the server or the registry itself. */
    List<RegistryHost> parse(String text) throws IOException {
        TomlTable file;
        try {
            file = new TomlTable("", TOML.readTree(text));
        } catch (JacksonException e) {
            throw new IOException("not TOML, line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(), e);
        }
        List<TomlTable> tables = file.tables("host");
        if (tables.size() > MOST_HOSTS) {
            throw new IOException("more than " + MOST_HOSTS + " hosts");
        }
        List<String> urls = file.table("host").keys();
        List<RegistryHost> hosts = new ArrayList<>();
        for (int i = 0; i < urls.size(); i++) {
            hosts.add(host(tables.get(i), Optional.of(urls.get(i))));
        }
        hosts.add(host(file, file.text("server").filter(server -> !server.isEmpty())));
        return hosts;
    }

    private RegistryHost host(TomlTable table, Optional<String> url) throws IOException {
        Optional<URI> root = Optional.empty();
        if (url.isPresent()) {
            root = Optional.of(root(table, url.get()));
        }
        Set<Capability> capabilities = capabilities(table);
        return new RegistryHost(
                root,
                // The registry itself is asked for everything.
                root.isPresent() ? capabilities : EnumSet.allOf(Capability.class),
                tls(table),
                headers(table.table("header")),
                dialTimeout(table));
    }

    /** The URL that repositories are below: containerd adds the API's path unless it is there, or is overridden. */
    private static URI root(TomlTable table, String url) throws IOException {
        URI parsed;
        try {
            parsed = URI.create(url.startsWith("http") || url.contains("://") ? url : "https://" + url)
                    .normalize();
        } catch (IllegalArgumentException e) {
            throw notUrl(table, url);
        }
        boolean http = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
        if (!http
                || parsed.getHost() == null
                || !HOST.matcher(parsed.getHost()).matches()
                || parsed.getPort() > 65_535) {
            throw notUrl(table, url);
        }
        String path = parsed.getRawPath().replaceFirst("/+$", "");
        boolean whole = path.endsWith(API) || table.flag("override_path").orElse(false);
        String port = parsed.getPort() < 0 ? "" : ":" + parsed.getPort();
        return URI.create(parsed.getScheme() + "://" + parsed.getHost() + port + path + (whole ? "" : API));
    }

    private static IOException notUrl(TomlTable table, String url) {
        String name = table.name().isEmpty() ? "server '" + url + "' " : table.name();
        return new IOException(name + "must be http://HOST[:PORT] or https://HOST[:PORT], with or without a path");
    }

    private static Set<Capability> capabilities(TomlTable table) throws IOException {
        EnumSet<Capability> found = EnumSet.noneOf(Capability.class);
        for (String name : table.list("capabilities")) {
            found.add(
                    switch (name.toLowerCase(Locale.ROOT)) {
                        case "pull" -> Capability.PULL;
                        case "resolve" -> Capability.RESOLVE;
                        case "push" -> Capability.PUSH;
                        case "referrers" -> Capability.REFERRERS;
                        default ->
                            throw table.wrong("capabilities", "of pull, resolve, push, referrers, not '" + name + "'");
                    });
        }
        return found.isEmpty() ? EnumSet.allOf(Capability.class) : found;
    }

    private HostTls tls(TomlTable table) throws IOException {
        List<Path> authorities = new ArrayList<>();
        for (String name : table.texts("ca")) {
            authorities.add(certificates.path(name));
        }
        List<Pair> clients = new ArrayList<>();
        for (List<String> names : table.lists("client")) {
            clients.add(client(table, names));
        }
        return certificates.load(authorities, clients, table.flag("skip_verify"));
    }

    /** Certificate and key are two files, or are both in the first. */
    private Pair client(TomlTable table, List<String> names) throws IOException {
        if (names.isEmpty() || names.size() > 2) {
            throw table.wrong("client", "a file, or a list of files and of pairs of them");
        }
        boolean one = names.size() == 1 || names.get(1).isEmpty();
        return new Pair(certificates.path(names.getFirst()), certificates.path(names.get(one ? 0 : 1)));
    }

    private static Map<String, List<String>> headers(TomlTable table) throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : table.keys()) {
            List<String> values = table.texts(name);
            if (!HEADER_NAME.matcher(name).matches()
                    || !values.stream()
                            .allMatch(value -> HEADER_VALUE.matcher(value).matches())) {
                throw new IOException(table.name() + "'" + name + "' is no header of HTTP, or its value is none");
            }
            headers.put(name, values);
        }
        return headers;
    }

    /** Go takes 0 for no limit; here the client has a limit of its own. */
    private static Optional<Duration> dialTimeout(TomlTable table) throws IOException {
        Optional<String> text = table.text("dial_timeout").filter(given -> !given.isEmpty());
        try {
            return text.map(GoDuration::parse).filter(Duration::isPositive);
        } catch (IllegalArgumentException e) {
            throw new IOException(table.name() + "dial_timeout " + e.getMessage(), e);
        }
    }
}
