package io.faasimage.builder.secret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The passwords in the files of package managers, as these write them into addresses, logs and lock files. */
final class SecretValues {
    /** Shorter ones would be found in what is no secret. */
    private static final int MIN_CHARS = 8;

    private static final Pattern COMMENT = Pattern.compile("(?m)^[ \\t]*+[#;].*$");

    /** {@code _authToken=}, {@code password = }, {@code npmAuthToken: }. */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)(?:auth|token|password|passwd|secret|key)\"?[ \\t]*+[=:]"
                    + "[ \\t]*+(?:\"([^\"\\n]++)\"|'([^'\\n]++)'|([^\\s\"']\\S*+))");

    /** {@code BUNDLE_GEMS__EXAMPLE__COM: "user:password"}. */
    private static final Pattern BUNDLER =
            Pattern.compile("(?m)^BUNDLE_[A-Z0-9_]++:[ \\t]*+\"?([^\\s\"/:]++:[^\\s\"/]++)");

    private static final Pattern NETRC = Pattern.compile("\\bpassword\\s++(\\S+)");
    private static final Pattern ADDRESS = Pattern.compile("://[^/\\s:@]*+:([^/\\s@]++)@");

    /** The names in Composer's auth.json; other JSON has texts that are no secrets. */
    private static final Pattern LOGINS = Pattern.compile("http-basic|bearer|.*-oauth|.*-token|custom-headers");

    private SecretValues() {}

    /** The whole content, and in it what follows a password's name, passwords in addresses, and logins of Composer. */
    static List<byte[]> in(byte[] content) {
        // One character for each byte.
        String text = new String(content, StandardCharsets.ISO_8859_1);
        Set<String> found = new LinkedHashSet<>();
        found.add(text.strip());
        String plain = COMMENT.matcher(text).replaceAll("");
        for (Pattern pattern : List.of(ASSIGNED, BUNDLER, NETRC, ADDRESS)) {
            Matcher matcher = pattern.matcher(plain);
            while (matcher.find()) {
                for (int group = 1; group <= matcher.groupCount(); group++) {
                    found.add(Objects.requireNonNullElse(matcher.group(group), ""));
                }
            }
        }
        if (text.stripLeading().startsWith("{")) {
            json(content, found);
        }
        List<byte[]> all = new ArrayList<>();
        for (String value : found) {
            // A variable's name is in many published packages.
            if (value.length() >= MIN_CHARS && !value.startsWith("${")) {
                all.add(value.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return all;
    }

    private static void json(byte[] content, Set<String> found) {
        try {
            JsonMapper.shared().readTree(content).properties().stream()
                    .filter(property -> LOGINS.matcher(property.getKey()).matches())
                    .forEach(property -> texts(property.getValue(), found));
        } catch (JacksonException e) {
            // No JSON after all: the whole content counts, and what the patterns find.
        }
    }

    private static void texts(JsonNode node, Set<String> found) {
        if (node.isString()) {
            byte[] utf8 = node.stringValue().getBytes(StandardCharsets.UTF_8);
            found.add(new String(utf8, StandardCharsets.ISO_8859_1));
        }
        node.properties().forEach(property -> {
            if (!property.getKey().equals("username")) {
                texts(property.getValue(), found);
            }
        });
        node.values().forEach(element -> {
            if (node.isArray()) {
                texts(element, found);
            }
        });
    }
}
