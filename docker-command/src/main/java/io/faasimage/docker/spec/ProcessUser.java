package io.faasimage.docker.spec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whom a container's process runs as.
 *
 * @param uid user
 * @param gid group
 * @param groups further groups
 */
public record ProcessUser(long uid, long gid, List<Long> groups) {
    /** The usual one. */
    public static final ProcessUser ROOT = new ProcessUser(0, 0, List.of());

    private static final long LARGEST_FILE = 4 << 20;

    /** Copies the list. */
    public ProcessUser {
        groups = List.copyOf(groups);
    }

    /** Whether {@code user} means root without a look at the image's files. */
    public static boolean isRoot(String user) {
        return user.isEmpty() || user.equals("root") || user.equals("0") || user.equals("0:0");
    }

    /**
     * The user that an image names.
     *
     * @param user name or number, with a group after a colon or without
     * @param root the image's root directory
     * @throws IOException when the image does not know it
     */
    public static ProcessUser find(String user, Path root) throws IOException {
        int colon = user.indexOf(':');
        String name = colon < 0 ? user : user.substring(0, colon);
        List<String[]> users = read(root, "passwd", 4);
        Optional<String[]> entry = entry(users, name);
        if (entry.isEmpty() && !isNumber(name)) {
            throw new IOException("unable to find user " + name + ": no matching entries in passwd file");
        }
        long uid = entry.isPresent() ? number(entry.get()[2]) : number(name);
        List<String[]> groups = read(root, "group", 3);
        if (colon >= 0) {
            return new ProcessUser(uid, group(user.substring(colon + 1), groups), List.of());
        }
        long gid = entry.isPresent() ? number(entry.get()[3]) : 0;
        String login = entry.isPresent() ? entry.get()[0] : name;
        List<Long> further = groups.stream()
                .filter(line ->
                        line.length > 3 && List.of(line[3].split(",", -1)).contains(login))
                .map(line -> number(line[2]))
                .toList();
        return new ProcessUser(uid, gid, further);
    }

    private static long group(String name, List<String[]> groups) throws IOException {
        Optional<String[]> entry = entry(groups, name);
        if (entry.isPresent()) {
            return number(entry.get()[2]);
        }
        if (!isNumber(name)) {
            throw new IOException("unable to find group " + name + ": no matching entries in group file");
        }
        return number(name);
    }

    private static Optional<String[]> entry(List<String[]> lines, String name) {
        Predicate<String[]> matches = isNumber(name) ? line -> line[2].equals(name) : line -> line[0].equals(name);
        return lines.stream().filter(matches).findFirst();
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,10}");
    }

    private static long number(String text) {
        return isNumber(text) ? Math.min(Long.parseLong(text), 0xffffffffL) : 0;
    }

    private static List<String[]> read(Path root, String name, int fields) throws IOException {
        Path directory = root.resolve("etc");
        Path file = directory.resolve(name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        // A link would be followed into the host's files.
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.size(file) > LARGEST_FILE) {
            throw new IOException("the image's /etc/" + name
                    + " is not a plain file of a bearable size; give the image's user by numbers (USER 1000:1000)");
        }
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .map(line -> line.split(":", -1))
                .filter(line -> line.length >= fields)
                .toList();
    }
}
