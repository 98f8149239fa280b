package io.faasimage.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The mounts that this process sees, in the order in which they were made.
 *
 * @param entries all of them
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html">proc_pid_mountinfo(5)</a>
 */
public record MountTable(List<Entry> entries) {
    public MountTable {
        entries = List.copyOf(entries);
    }

    /**
     * One mount.
     *
     * @param id the kernel's number for it
     * @param parent the number of the mount it is on
     * @param device {@code major:minor} of the file system
     * @param root the directory of the file system that is its root
     * @param target where it is mounted
     * @param options of this mount, comma-separated
     * @param type of the file system
     * @param source device or file; a word when there is none
     * @param superOptions of the file system, comma-separated
     */
    public record Entry(
            int id,
            int parent,
            String device,
            String root,
            String target,
            String options,
            String type,
            String source,
            String superOptions) {}

    /** Reads the table of this process. */
    public static MountTable read() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of("/proc/self/mountinfo"));
        return parse(PathBytes.text(bytes));
    }

    /** Parses the text of a mountinfo file; a malformed line is an {@link IOException} that shows it. */
    public static MountTable parse(String text) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isEmpty()) {
                entries.add(parseLine(line));
            }
        }
        return new MountTable(entries);
    }

    private static Entry parseLine(String line) throws IOException {
        String[] fields = line.split(" ", -1);
        int separator = 6;
        while (separator < fields.length && !fields[separator].equals("-")) {
            separator++;
        }
        if (separator + 3 >= fields.length) {
            throw new IOException("not a line of mountinfo: '" + line + "'");
        }
        try {
            return new Entry(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    fields[2],
                    unescape(fields[3]),
                    unescape(fields[4]),
                    fields[5],
                    unescape(fields[separator + 1]),
                    unescape(fields[separator + 2]),
                    unescape(fields[separator + 3]));
        } catch (NumberFormatException e) {
            throw new IOException("not a line of mountinfo: '" + line + "'", e);
        }
    }

    /** Undoes the kernel's octal escapes (backslash and three digits for space, tab, newline, backslash, hash). */
    static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        byte[] in = field.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[in.length];
        int length = 0;
        for (int i = 0; i < in.length; i++) {
            if (in[i] == '\\' && i + 3 < in.length && isOctal(in[i + 1]) && isOctal(in[i + 2]) && isOctal(in[i + 3])) {
                out[length++] = (byte) ((in[i + 1] - '0') << 6 | (in[i + 2] - '0') << 3 | (in[i + 3] - '0'));
                i += 3;
            } else {
                out[length++] = in[i];
            }
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isOctal(byte b) {
        return b >= '0' && b <= '7';
    }

    /** The topmost mount at exactly {@code target}; empty when nothing is mounted there. */
    public Optional<Entry> at(Path target) {
        String name = target.toString();
        return entries.reversed().stream().filter(e -> e.target().equals(name)).findFirst();
    }

    /** All mounts at or below {@code directory}, the last made first: the order in which to unmount them. */
    public List<Entry> below(Path directory) {
        return entries.reversed().stream()
                .filter(e -> Path.of(e.target()).startsWith(directory))
                .toList();
    }
}
