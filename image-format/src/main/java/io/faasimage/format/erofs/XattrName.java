package io.faasimage.format.erofs;

import java.util.List;
import java.util.Optional;

/**
 * An extended attribute's name as EROFS stores it: a number for the well-known beginning, and the rest.
 *
 * @param index number of the prefix
 * @param suffix the rest of the name, one char per byte
 */
record XattrName(int index, String suffix) {
    private static final int MAX_NAME_BYTES = 255;

    private record Prefix(int index, String text, boolean whole) {}

    private static final List<Prefix> PREFIXES = List.of(
            new Prefix(1, "user.", false),
            new Prefix(2, "system.posix_acl_access", true),
            new Prefix(3, "system.posix_acl_default", true),
            new Prefix(4, "trusted.", false),
            new Prefix(6, "security.", false));

    /** Splits a full name; empty when EROFS or Linux has no place for it. */
    static Optional<XattrName> of(String name) {
        for (Prefix prefix : PREFIXES) {
            if (name.startsWith(prefix.text)) {
                XattrName split = new XattrName(prefix.index, name.substring(prefix.text.length()));
                return split.fits(prefix) ? Optional.of(split) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** The full name; empty when there is no prefix of this index or the rest does not fit it. */
    Optional<String> full() {
        return PREFIXES.stream()
                .filter(prefix -> prefix.index == index && fits(prefix))
                .map(prefix -> prefix.text + suffix)
                .findFirst();
    }

    private boolean fits(Prefix prefix) {
        return prefix.whole == suffix.isEmpty()
                && prefix.text.length() + suffix.length() <= MAX_NAME_BYTES
                && suffix.chars().allMatch(c -> c > 0 && c <= 0xff);
    }
}
