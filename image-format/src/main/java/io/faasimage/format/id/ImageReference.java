package io.faasimage.format.id;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an image at an OCI registry.
 *
 * @param registry host, with its port when given
 * @param repository path below it
 * @param tag tag; empty when only a digest is given
 * @param digest manifest digest, when given: it goes before the tag
 * @see <a href="https://pkg.go.dev/github.com/distribution/reference">the grammar of references</a>
 */
public record ImageReference(String registry, String repository, Optional<String> tag, Optional<Digest> digest) {
    private static final Pattern REPOSITORY =
            Pattern.compile("[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+])(?::[0-9]{1,5})?");
    private static final Pattern WHOLE = Pattern.compile("(?<name>[^@]+?)(?::(?<tag>[^:/@]+))?(?:@(?<digest>.+))?");
    private static final String HUB = "docker.io";

    /** The engine of regular expressions takes stack for each repetition of a group. */
    private static final int MAX_CHARS = 1024;

    /** Checks the parts. */
    public ImageReference {
        if (!REPOSITORY.matcher(repository).matches()
                || !HOST.matcher(registry).matches()
                || tag.filter(t -> !TAG.matcher(t).matches()).isPresent()) {
            throw wrong(text(registry, repository, tag, digest), "");
        }
    }

    /**
     * Parses a reference as users write it: without a registry it is Docker Hub's, without a tag {@code latest}.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    public static ImageReference parse(String text) {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException("an image reference has at most " + MAX_CHARS + " characters");
        }
        Matcher whole = WHOLE.matcher(text);
        if (!whole.matches()) {
            throw wrong(text, "");
        }
        String name = whole.group("name");
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        boolean hosted = first.contains(".") || first.contains(":") || first.equals("localhost");
        boolean hub = !hosted || first.equals(HUB) || first.equals("index." + HUB);
        String path = hosted ? name.substring(slash + 1) : name;
        String repository = hub && !path.contains("/") ? "library/" + path : path;
        Optional<Digest> digest = Optional.ofNullable(whole.group("digest")).map(d -> digest(d, text));
        Optional<String> tag = Optional.ofNullable(whole.group("tag"));
        if (tag.isEmpty() && digest.isEmpty()) {
            tag = Optional.of("latest");
        }
        return new ImageReference(hub ? HUB : first, repository, tag, digest);
    }

    private static Digest digest(String digest, String text) {
        try {
            return Digest.parse(digest);
        } catch (IllegalArgumentException e) {
            throw wrong(text, "; " + e.getMessage());
        }
    }

    private static IllegalArgumentException wrong(String text, String reason) {
        return new IllegalArgumentException("not an image reference: '" + text + "'" + reason
                + "; write [HOST[:PORT]/]NAME:TAG or [HOST[:PORT]/]NAME@sha256:...");
    }

    /** The same image by its manifest digest. */
    public ImageReference at(Digest manifest) {
        return new ImageReference(registry, repository, tag, Optional.of(manifest));
    }

    /** The part of the reference that a registry is sent: the digest when there is one, else the tag. */
    public String qualifier() {
        return digest.map(Digest::toString).or(() -> tag).orElse("latest");
    }

    /** Whether the registry is on this machine, where plain HTTP is the custom. */
    public boolean isLoopback() {
        return Host.parse(registry).isLoopback();
    }

    /** The full name, as containerd's clients store it. */
    @Override
    public String toString() {
        return text(registry, repository, tag, digest);
    }

    private static String text(String registry, String repository, Optional<String> tag, Optional<Digest> digest) {
        return registry + "/" + repository + tag.map(t -> ":" + t).orElse("")
                + digest.map(d -> "@" + d).orElse("");
    }
}
