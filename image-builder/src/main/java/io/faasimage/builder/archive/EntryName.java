package io.faasimage.builder.archive;

import io.faasimage.builder.fault.BuildException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The name of an archive's entry, relative to the directory that it is unpacked into.
 *
 * @param parts its components, none of them empty, {@code .} or {@code ..}; empty for the directory itself
 */
record EntryName(List<String> parts) {
    private static final Pattern SLASHES = Pattern.compile("/+");
    private static final int MAX_PART_BYTES = 255;
    private static final int MAX_CHARS = 4096;

    EntryName {
        parts = List.copyOf(parts);
    }

    /**
     * The name as an archive writes it; one that leads out of the directory, or cannot be a file's name, is refused.
     */
    static EntryName of(String raw) throws BuildException {
        if (raw.length() > MAX_CHARS || raw.chars().anyMatch(Character::isISOControl)) {
            throw refused(raw, "is longer than " + MAX_CHARS + " characters or has control characters in it");
        }
        if (raw.startsWith("/") || raw.matches("[A-Za-z]:[/\\\\].*")) {
            throw refused(raw, "is absolute; names in an archive are relative to the function's directory");
        }
        if (raw.contains("\\")) {
            throw refused(raw, "has a backslash in it; pack it with '/' between directories");
        }
        Deque<String> parts = new ArrayDeque<>();
        for (String part : SLASHES.split(raw)) {
            if (part.equals("..")) {
                throw refused(raw, "leads out of the function's directory");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                checkPart(raw, part);
                parts.addLast(part);
            }
        }
        return new EntryName(List.copyOf(parts));
    }

    private static void checkPart(String raw, String part) throws BuildException {
        if (part.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_PART_BYTES) {
            throw refused(raw, "has a component longer than " + MAX_PART_BYTES + " bytes");
        }
        if (part.startsWith(".wh.")) {
            throw refused(raw, "starts with .wh., which means a deletion in an image; rename it");
        }
    }

    /** Whether a symbolic link of this name that points at {@code target} stays in the directory. */
    boolean holds(String target) {
        if (target.isEmpty() || target.startsWith("/") || target.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        int depth = parts.size() - 1;
        for (String part : SLASHES.split(target)) {
            depth += part.equals("..") ? -1 : part.isEmpty() || part.equals(".") ? 0 : 1;
            if (depth < 0) {
                return false;
            }
        }
        return true;
    }

    static BuildException refused(String raw, String why) {
        String shown = raw.length() > 200 ? raw.substring(0, 200) + "..." : raw;
        String printable = shown.replaceAll("\\p{Cntrl}", "?");
        return BuildException.badRequest("the archive's entry '" + printable + "' " + why);
    }

    @Override
    public String toString() {
        return String.join("/", parts);
    }
}
