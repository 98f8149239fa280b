package io.faasimage.closure.language;

import io.faasimage.closure.read.Content;
import io.faasimage.closure.read.ContentParser;
import java.io.IOException;
import java.io.InputStream;
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

    @Override
    public Set<String> parse(Content extension) throws IOException {
        String prefix = top + ".";
        Set<String> names = new LinkedHashSet<>();
        StringBuilder name = new StringBuilder();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = extension.open()) {
            int n = in.read(buffer);
            for (long done = 0; n > 0 && done < MAX_BYTES && names.size() < MAX_NAMES; n = in.read(buffer)) {
                done += n;
                for (int i = 0; i < n; i++) {
                    char c = (char) (buffer[i] & 0xff);
                    int length = name.length();
                    if (length < prefix.length() ? c == prefix.charAt(length) : length < MAX_NAME && isInName(c)) {
                        name.append(c);
                    } else if (length > 0) {
                        if (length > prefix.length()) {
                            names.add(name.toString());
                        }
                        name.setLength(0);
                        name.append(c == prefix.charAt(0) ? String.valueOf(c) : "");
                    }
                }
            }
        }
        return Collections.unmodifiableSet(names);
    }

    private static boolean isInName(char c) {
        return c == '.' || c == '_' || (c < 0x80 && Character.isLetterOrDigit(c));
    }
}
