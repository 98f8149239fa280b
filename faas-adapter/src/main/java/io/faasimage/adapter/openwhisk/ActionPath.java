package io.faasimage.adapter.openwhisk;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An action as a path of the controller's API names it: {@code
 * /api/v1/namespaces/{namespace}/actions/[{package}/]{name}}.
 *
 * @param namespace {@code _} stands for the caller's own
 * @param packageName empty when it is in none
 * @param name of the action
 */
record ActionPath(String namespace, String packageName, String name) {
    private static final Pattern PATH = Pattern.compile(
            "/api/v1/namespaces/([^/?#]{1,512})/actions/(?:([^/?#]{1,512})/)?([^/?#]{1,512})/?(?:\\?.*)?");
    /** OpenWhisk's own grammar of entity names. */
    private static final Pattern NAME =
            Pattern.compile("[\\w]|[\\w][\\w@ .-]{0,254}[\\w@.-]", Pattern.UNICODE_CHARACTER_CLASS);

    /** The action of a path as it came, undecoded; empty when it is none. */
    static Optional<ActionPath> parse(String path) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            String inPackage = matcher.group(2) == null ? "" : decode(matcher.group(2));
            ActionPath action = new ActionPath(decode(matcher.group(1)), inPackage, decode(matcher.group(3)));
            return action.isNamed() ? Optional.of(action) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // A broken escape: the controller refuses it, too.
            return Optional.empty();
        }
    }

    private static String decode(String text) {
        // A plus is itself in a path.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private boolean isNamed() {
        return NAME.matcher(namespace).matches()
                && (packageName.isEmpty() || NAME.matcher(packageName).matches())
                && NAME.matcher(name).matches();
    }
}
