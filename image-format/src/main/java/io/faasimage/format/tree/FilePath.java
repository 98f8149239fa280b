package io.faasimage.format.tree;

import java.nio.charset.StandardCharsets;

/**
 * A path inside a root file system, kept byte for byte.
 *
 * <p>Linux names are bytes, not text. Each char of {@link #raw} is one byte (ISO 8859-1), which keeps a path compact
 * in memory and exact. The root is the empty path; there is no leading or trailing slash, and no component is empty,
 * {@code .} or {@code ..}. Order is depth first: a directory is followed by all that is below it.
 *
 * @param raw one char per byte
 */
public record FilePath(String raw) implements Comparable<FilePath> {
    /** The root directory. */
    public static final FilePath ROOT = new FilePath("");

    /** Longest name of one component (Linux {@code NAME_MAX}). */
    public static final int MAX_NAME_BYTES = 255;

    /** Longest path (Linux {@code PATH_MAX}). */
    public static final int MAX_PATH_BYTES = 4096;

    /** Checks the form; {@link IllegalArgumentException} when it is not a clean relative path. */
    public FilePath {
        if (raw.length() > MAX_PATH_BYTES) {
            throw new IllegalArgumentException("path of " + raw.length() + " bytes is longer than 4096");
        }
        checkComponents(raw);
    }

    /** A path from its bytes. */
    public static FilePath ofBytes(byte[] bytes) {
        return new FilePath(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /** A path from text, encoded as UTF-8. */
    public static FilePath ofText(String text) {
        return ofBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void checkComponents(String raw) {
        int start = 0;
        while (!raw.isEmpty()) {
            int end = raw.indexOf('/', start);
            String name = end < 0 ? raw.substring(start) : raw.substring(start, end);
            checkName(name, raw);
            if (end < 0) {
                return;
            }
            start = end + 1;
        }
    }

    private static void checkName(String name, String raw) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("not a clean relative path: '" + display(raw) + "'");
        }
        if (name.length() > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("name of " + name.length() + " bytes is longer than 255");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0 || c > 0xff) {
                throw new IllegalArgumentException("not a byte of a file name: " + (int) c);
            }
        }
    }

    /** True for the root directory. */
    public boolean isRoot() {
        return raw.isEmpty();
    }

    /** The last component; empty for the root. */
    public String name() {
        return raw.substring(raw.lastIndexOf('/') + 1);
    }

    /** The containing directory; the root is its own parent. */
    public FilePath parent() {
        int slash = raw.lastIndexOf('/');
        return slash < 0 ? ROOT : new FilePath(raw.substring(0, slash));
    }

    /** The path of {@code name} (one char per byte) in this directory. */
    public FilePath child(String name) {
        return new FilePath(isRoot() ? name : raw + "/" + name);
    }

    /** True when this path is {@code directory} or below it. */
    public boolean isAtOrBelow(FilePath directory) {
        return directory.isRoot()
                || raw.equals(directory.raw)
                || (raw.startsWith(directory.raw) && raw.charAt(directory.raw.length()) == '/');
    }

    /** The bytes; a new array. */
    public byte[] bytes() {
        return raw.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The path with a leading slash for people, undecodable bytes replaced. */
    public String display() {
        return "/" + display(raw);
    }

    private static String display(String raw) {
        return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(FilePath other) {
        int n = Math.min(raw.length(), other.raw.length());
        for (int i = 0; i < n; i++) {
            char a = raw.charAt(i);
            char b = other.raw.charAt(i);
            if (a != b) {
                return a == '/' ? -1 : b == '/' ? 1 : Character.compare(a, b);
            }
        }
        return Integer.compare(raw.length(), other.raw.length());
    }

    /** Same as {@link #display()}. */
    @Override
    public String toString() {
        return display();
    }
}
