package io.faasimage.adapter.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The provider's basic authentication, as it is sent; absent when none is configured. Thread-safe. */
public final class Credentials {
    private final Optional<String> header;

    private Credentials(Optional<String> header) {
        this.header = header;
    }

    /** Reads the files that {@code settings} name, as the provider does: without surrounding white space. */
    public static Credentials of(AdapterSettings settings) {
        Path user = settings.providerUserFile();
        Path password = settings.providerPasswordFile();
        if (user == null || password == null) {
            return new Credentials(Optional.empty());
        }
        String pair = read("provider-user-file", user) + ":" + read("provider-password-file", password);
        return new Credentials(
                Optional.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));
    }

    /** The content of a file that a setting names. */
    static String read(String setting, Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new StartFailure("--faasimage." + setting + "=" + file + " cannot be read: " + e, e);
        }
    }

    /** The token of registry-service that {@code settings} name, now. */
    public static Optional<String> registryToken(AdapterSettings settings) {
        return settings.registryTokenFile() == null
                ? Optional.ofNullable(settings.registryToken())
                : Optional.of(read("registry-token-file", settings.registryTokenFile()));
    }

    /** Value of the Authorization header. */
    public Optional<String> header() {
        return header;
    }

    /**
     * Whether {@code presented} is equal; takes the same time wherever they differ. False when there is nothing to
     * compare.
     */
    public boolean matches(@Nullable String presented) {
        return presented != null
                && header.isPresent()
                && MessageDigest.isEqual(
                        header.get().getBytes(StandardCharsets.UTF_8), presented.getBytes(StandardCharsets.UTF_8));
    }
}
