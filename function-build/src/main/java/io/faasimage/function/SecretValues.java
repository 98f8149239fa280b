package io.faasimage.function;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The passwords in an installation's secrets and variables, as package managers write them into lists of installed
 * packages.
 *
 * @param values one character for each byte
 */
record SecretValues(Set<String> values) {
    /** As {@code _authToken=}, {@code password = }, {@code ://user:} and {@code BUNDLE_HOST: user:} precede them. */
    private static final Pattern SECRET =
            Pattern.compile("(?i)(?:auth|token|passwd|password|secret|key|bearer)\"?\\s*[=:\\s]\\s*\"?([^\\s\"']{8,})"
                    + "|(?:://|BUNDLE_\\w+:\\s*\"?)[^/\\s:@]*:([^/\\s@\"]{8,})");

    private static final long LARGEST_FILE = 16 << 20;

    static SecretValues of(Installation installation) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : installation.secrets().values()) {
            text.append(Files.readString(file, StandardCharsets.ISO_8859_1)).append('\n');
        }
        for (Map.Entry<String, String> variable : installation.values().entrySet()) {
            text.append(variable.getKey())
                    .append('=')
                    .append(variable.getValue())
                    .append('\n');
        }
        Set<String> found = new HashSet<>();
        Matcher matcher = SECRET.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return new SecretValues(found);
    }

    /** Fails if a file below {@code tree} has one of them in it. */
    void checkAbsent(Path tree) throws IOException {
        for (Path file : values.isEmpty() ? Set.<Path>of() : FunctionFiles.all(tree)) {
            if (Files.isRegularFile(file) && Files.size(file) <= LARGEST_FILE) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (values.stream().anyMatch(content::contains)) {
                    throw new IOException("the package manager wrote a secret into " + tree.relativize(file)
                            + " of the libraries, where everybody with the image could read it; nothing was pushed. Name"
                            + " the package's address without the login, which belongs into the secret alone");
                }
            }
        }
    }
}
