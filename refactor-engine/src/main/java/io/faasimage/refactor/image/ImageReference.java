package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The name of an image: in a registry, an OCI layout directory or an archive file. */
public sealed interface ImageReference {
    /**
     * Parses {@code [registry[:port]/]repository[:tag][@sha256:hex]} as Docker does, {@code oci:/directory[:reference]}
     * or {@code archive:/file.tar[:reference]}.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    static ImageReference parse(String text) {
        if (text.startsWith("oci:")) {
            return LocalName.parse(text.substring(4), text, Layout::new);
        }
        if (text.startsWith("archive:")) {
            return LocalName.parse(text.substring(8), text, Archive::new);
        }
        return Remote.parseRemote(text);
    }

    /**
     * An image in a registry.
     *
     * @param registry host and optional port
     * @param repository without the registry
     * @param tag {@code latest} when neither tag nor digest was given
     * @param digest goes before the tag
     */
    record Remote(String registry, String repository, Optional<String> tag, Optional<Digest> digest)
            implements ImageReference {
        private static final String DEFAULT_REGISTRY = "docker.io";
        private static final Pattern HOST = Pattern.compile(
                "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?" + "|\\[[0-9a-fA-F:]+](:[0-9]{1,5})?");
        private static final Pattern REPOSITORY =
                Pattern.compile("[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*");
        private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");
        private static final int MAX_LENGTH = 1024;

        /** Checks the parts. */
        public Remote {
            if (!HOST.matcher(registry).matches()
                    || !REPOSITORY.matcher(repository).matches()
                    || (tag.isPresent() && !TAG.matcher(tag.get()).matches())) {
                throw new IllegalArgumentException("not an image reference: registry '" + registry + "', repository '"
                        + repository + "'" + tag.map(t -> ", tag '" + t + "'").orElse(""));
            }
        }

        private static Remote parseRemote(String text) {
            if (text.length() > MAX_LENGTH) {
                throw new IllegalArgumentException("an image reference has at most " + MAX_LENGTH + " characters");
            }
            int at = text.indexOf('@');
            Optional<Digest> digest = at < 0 ? Optional.empty() : Optional.of(Digest.parse(text.substring(at + 1)));
            String name = at < 0 ? text : text.substring(0, at);
            int colon = name.lastIndexOf(':');
            Optional<String> tag = Optional.empty();
            if (colon > name.lastIndexOf('/')) {
                tag = Optional.of(name.substring(colon + 1));
                name = name.substring(0, colon);
            } else if (digest.isEmpty()) {
                tag = Optional.of("latest");
            }
            int slash = name.indexOf('/');
            String first = slash < 0 ? "" : name.substring(0, slash);
            if (first.contains(".") || first.contains(":") || first.equals("localhost")) {
                return of(first, name.substring(slash + 1), tag, digest);
            }
            return of(DEFAULT_REGISTRY, name, tag, digest);
        }

        private static Remote of(String registry, String name, Optional<String> tag, Optional<Digest> digest) {
            boolean hub = registry.equals(DEFAULT_REGISTRY) || registry.equals("index." + DEFAULT_REGISTRY);
            String repository = hub && name.indexOf('/') < 0 ? "library/" + name : name;
            return new Remote(hub ? DEFAULT_REGISTRY : registry, repository, tag, digest);
        }

        /** What to ask the registry for: the digest, else the tag. */
        public String qualifier() {
            return digest.map(Digest::toString).or(() -> tag).orElse("latest");
        }

        /** True when the registry is on this machine. */
        public boolean isLoopback() {
            String host = registry.replaceFirst(":[0-9]+$", "");
            return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        }

        @Override
        public String toString() {
            return registry + "/" + repository + tag.map(t -> ":" + t).orElse("")
                    + digest.map(d -> "@" + d).orElse("");
        }
    }

    /**
     * An image in an OCI layout directory.
     *
     * @param directory that has {@code oci-layout} and {@code index.json}
     * @param reference annotation {@code org.opencontainers.image.ref.name} or a manifest digest; may be empty when the
     *     index has one entry
     */
    record Layout(Path directory, Optional<String> reference) implements ImageReference {
        @Override
        public String toString() {
            return "oci:" + directory + reference.map(r -> ":" + r).orElse("");
        }
    }

    /**
     * An image in a file made by {@code docker save}, or a tar of an OCI layout; plain or gzip.
     *
     * @param file the archive
     * @param reference repository tag or reference name; may be empty when the archive has one image
     */
    record Archive(Path file, Optional<String> reference) implements ImageReference {
        @Override
        public String toString() {
            return "archive:" + file + reference.map(r -> ":" + r).orElse("");
        }
    }
}
