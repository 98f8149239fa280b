package io.faasimage.linux;

import java.util.regex.Pattern;

/**
 * A mapping of the user and group ids of a user namespace, in containerd's words: {@code inside:outside:count}, several
 * separated by commas.
 *
 * @param uids of users
 * @param gids of groups
 */
public record IdMap(String uids, String gids) {
    private static final Pattern RANGES =
            Pattern.compile("[0-9]{1,10}:[0-9]{1,10}:[1-9][0-9]{0,9}(,[0-9]{1,10}:[0-9]{1,10}:[1-9][0-9]{0,9}){0,339}");

    /** Checks the form, and that there is a superuser. */
    public IdMap {
        outsideOfRoot(uids);
        outsideOfRoot(gids);
    }

    /** Who the namespace's superuser is outside. */
    public int rootUser() {
        return outsideOfRoot(uids);
    }

    /** The id outside of the group of the namespace's superuser. */
    public int rootGroup() {
        return outsideOfRoot(gids);
    }

    /** The text for {@code uid_map} or {@code gid_map}. */
    static String lines(String ranges) {
        return ranges.replace(':', ' ').replace(',', '\n') + "\n";
    }

    private static int outsideOfRoot(String ranges) {
        if (!RANGES.matcher(ranges).matches()) {
            throw new IllegalArgumentException("not a mapping of ids such as 0:100000:65536: '" + ranges + "'");
        }
        for (String range : ranges.split(",", -1)) {
            String[] numbers = range.split(":", -1);
            if (Long.parseLong(numbers[0]) == 0) {
                return (int) Long.parseLong(numbers[1]);
            }
        }
        throw new IllegalArgumentException("the mapping of ids '" + ranges + "' does not map id 0");
    }
}
