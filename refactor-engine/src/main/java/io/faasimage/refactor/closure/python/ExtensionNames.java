package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.reads.ContentParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The dotted names in a C extension that begin with a given package: compiled code imports by strings, and almost all
 * strings of that form are names of modules or of things in them.
 *
 * @param top name of the package
 */
record ExtensionNames(String top) implements ContentParser<Set<String>> {
    private static final int MAX_NAMES = 10_000;
    private static final int MAX_NAME = 120;
    private static final int MAX_BYTES = 64 << 20;
    private static final int BUFFER = 64 << 10;

    /** The names that begin with {@code package.}. */
    @Override
    public Set<String> parse(Content extension) throws IOException {
        Scan scan = new Scan(top + ".");
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = extension.open()) {
            int n = in.read(buffer);
            for (long done = 0; n > 0 && done < MAX_BYTES && scan.names.size() < MAX_NAMES; n = in.read(buffer)) {
                done += n;
                for (int i = 0; i < n; i++) {
                    // Almost all bytes are neither in a name nor begin one.
                    if (buffer[i] == scan.prefix[0] || !scan.name.isEmpty()) {
                        scan.next((char) (buffer[i] & 0xff));
                    }
                }
            }
        }
        return Collections.unmodifiableSet(scan.names);
    }

    @Override
    public long weight(Set<String> names, long read) {
        return (long) names.size() * MAX_NAME;
    }

    /** A pass over the bytes. */
    private static final class Scan {
        private final byte[] prefix;
        private final Set<String> names = new LinkedHashSet<>();
        private final StringBuilder name = new StringBuilder();

        Scan(String prefix) {
            this.prefix = prefix.getBytes(StandardCharsets.ISO_8859_1);
        }

        void next(char c) {
            int length = name.length();
            boolean fits = length < prefix.length
                    ? c == prefix[length]
                    : length < MAX_NAME && (c == '.' || c == '_' || (c < 0x80 && Character.isLetterOrDigit(c)));
            if (fits) {
                name.append(c);
                return;
            }
            if (length > prefix.length) {
                names.add(name.toString());
            }
            name.setLength(0);
            if (c == prefix[0]) {
                name.append(c);
            }
        }
    }
}
