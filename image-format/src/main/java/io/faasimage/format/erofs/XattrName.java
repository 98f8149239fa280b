package io.faasimage.format.erofs;

import java.util.List;
import java.util.Optional;

/**
 * An extended attribute's name as EROFS stores it: a number for the well-known beginning, and the rest.
 *
 * @param index number of the prefix
 * @param suffix what comes after it, one char per byte
 */
record XattrName(int index, String suffix) {
    private record Prefix(int index, String text, boolean whole) {}

    private static final List<Prefix> PREFIXES = List.of(
            new Prefix(1, "user.", false),
            new Prefix(2, "system.posix_acl_access", true),
            new Prefix(3, "system.posix_acl_default", true),
            new Prefix(4, "trusted.", false),
            new Prefix(6, "security.", false));

    /** Splits a full name; empty when EROFS has no place for it. */
    static Optional<XattrName> of(String name) {
        for (Prefix prefix : PREFIXES) {
            boolean matches = prefix.whole
                    ? name.equals(prefix.text)
                    : name.startsWith(prefix.text) && name.length() > prefix.text.length();
            if (matches) {
                return name.length() > 255
                        ? Optional.empty()
                        : Optional.of(new XattrName(prefix.index, name.substring(prefix.text.length())));
            }
        }
        return Optional.empty();
    }

    /** The full name; empty when there is no prefix of this index or the rest does not fit it. */
    Optional<String> full() {
        for (Prefix prefix : PREFIXES) {
            if (prefix.index == index) {
                return prefix.whole == suffix.isEmpty() ? Optional.of(prefix.text + suffix) : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
