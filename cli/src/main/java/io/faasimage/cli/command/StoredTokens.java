package io.faasimage.cli.command;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The file of tokens that {@code faasimage login} keeps: a line for each address of a service, with the token after a
 * space. Only its owner can read it. A token is presented to the address alone for which it was stored.
 */
public final class StoredTokens {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    private final Path file;

    public StoredTokens(Path file) {
        this.file = file;
    }

    /** The file of this user: {@code faasimage/tokens} below XDG_CONFIG_HOME, by default {@code ~/.config}. */
    public static StoredTokens ofUser() {
        String configured = System.getenv().getOrDefault("XDG_CONFIG_HOME", "");
        // An address that is not absolute does not count (XDG Base Directory Specification).
        Path directory =
                configured.startsWith("/") ? Path.of(configured) : Path.of(System.getProperty("user.home"), ".config");
        return new StoredTokens(directory.resolve("faasimage/tokens"));
    }

    /**
     * The token of these addresses; empty when they have none, or not the same.
     *
     * @throws IOException when the file cannot be read, or others can read it
     */
    public Optional<String> find(List<URI> addresses) throws IOException {
        Map<String, String> tokens = read();
        Set<String> found = addresses.stream()
                .map(address -> tokens.getOrDefault(key(address), ""))
                .collect(Collectors.toSet());
        return found.size() == 1
                ? Optional.of(found.iterator().next()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    /** Keeps the token for each of the addresses, in the place of the one before. */
    public void store(List<URI> addresses, String token) throws IOException {
        if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("the token must be one line of visible ASCII characters");
        }
        Map<String, String> tokens = read();
        addresses.forEach(address -> tokens.put(key(address), token));
        write(tokens);
    }

    /** Forgets the tokens of the addresses; whether there was one. */
    public boolean forget(List<URI> addresses) throws IOException {
        Map<String, String> tokens = read();
        boolean known = tokens.keySet()
                .removeAll(addresses.stream().map(StoredTokens::key).collect(Collectors.toSet()));
        if (known) {
            write(tokens);
        }
        return known;
    }

    private Map<String, String> read() throws IOException {
        Map<String, String> tokens = new TreeMap<>();
        try {
            if (!PRIVATE.containsAll(Files.getPosixFilePermissions(file))) {
                throw new IOException(file + " can be read by others; revoke its tokens, then remove it or chmod 600");
            }
            for (String line : Files.readAllLines(file)) {
                int space = line.indexOf(' ');
                if (space < 1) {
                    throw new IOException(file + " is damaged; remove it and run 'faasimage login' again");
                }
                tokens.put(line.substring(0, space), line.substring(space + 1));
            }
        } catch (NoSuchFileException e) {
            return tokens;
        }
        return tokens;
    }

    private void write(Map<String, String> tokens) throws IOException {
        String text = tokens.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue() + "\n")
                .collect(Collectors.joining());
        Files.createDirectories(file.toAbsolutePath().getParent());
        AtomicFile.publishSynced(
                file,
                out -> out.write(text.getBytes(StandardCharsets.UTF_8)),
                PosixFilePermissions.asFileAttribute(PRIVATE));
    }

    /** Scheme, host and port: only these of an address decide who gets the token. */
    private static String key(URI address) {
        int usual = "https".equals(address.getScheme()) ? 443 : 80;
        return (address.getScheme() + "://" + address.getHost()).toLowerCase(Locale.ROOT) + ":"
                + (address.getPort() < 0 ? usual : address.getPort());
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
