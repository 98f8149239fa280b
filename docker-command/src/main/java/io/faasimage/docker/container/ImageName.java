package io.faasimage.docker.container;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Image names as users write them, and as containerd's clients store them. */
final class ImageName {
    private static final Pattern WHOLE = Pattern.compile("(?<name>[A-Za-z0-9._:/\\[\\]-]{1,255}?)"
            + "(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?");

    private ImageName() {}

    /**
     * The full name: with registry, and with a tag unless there is a digest.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    static String full(String text) {
        Matcher whole = WHOLE.matcher(text);
        if (!whole.matches() || whole.group("name").endsWith("/")) {
            throw new IllegalArgumentException("invalid reference format: '" + text + "'");
        }
        String name = whole.group("name");
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        boolean hosted = first.contains(".") || first.contains(":") || first.equals("localhost");
        if (!hosted) {
            name = "docker.io/" + (slash < 0 ? "library/" : "") + name;
        } else if (first.equals("docker.io") && name.indexOf('/', slash + 1) < 0) {
            name = "docker.io/library/" + name.substring(slash + 1);
        }
        String tag = whole.group("tag");
        String digest = whole.group("digest");
        String tagged = tag == null ? (digest == null ? ":latest" : "") : ":" + tag;
        return name + tagged + (digest == null ? "" : "@" + digest);
    }
}
