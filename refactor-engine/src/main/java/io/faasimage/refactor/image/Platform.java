package io.faasimage.refactor.image;

import java.util.Locale;
import java.util.Optional;

/**
 * An operating system and processor, in the words of OCI image indexes.
 *
 * @param os for example {@code linux}
 * @param architecture for example {@code amd64}
 * @param variant for example {@code v8}; empty matches every variant
 */
public record Platform(String os, String architecture, Optional<String> variant) {
    /** Checks that nothing is empty. */
    public Platform {
        if (os.isEmpty() || architecture.isEmpty()) {
            throw new IllegalArgumentException("a platform has an operating system and an architecture");
        }
    }

    /** Parses {@code os/architecture} or {@code os/architecture/variant}. */
    public static Platform parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException("not a platform (os/architecture[/variant]): '" + text + "'");
        }
        return new Platform(parts[0], parts[1], parts.length == 3 ? Optional.of(parts[2]) : Optional.empty());
    }

    /** The platform of this Java machine, with {@code linux} as operating system. */
    public static Platform host() {
        String arch = System.getProperty("os.arch", "amd64").toLowerCase(Locale.ROOT);
        return new Platform(
                "linux",
                switch (arch) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    case "x86", "i386" -> "386";
                    default -> arch;
                },
                Optional.empty());
    }

    /** True when an image for {@code other} runs on this platform. */
    public boolean accepts(Platform other) {
        return os.equals(other.os)
                && architecture.equals(other.architecture)
                && (variant.isEmpty() || other.variant.isEmpty() || variant.equals(other.variant));
    }

    @Override
    public String toString() {
        return os + "/" + architecture + variant.map(v -> "/" + v).orElse("");
    }
}
