package io.faasimage.registry.signature;

/**
 * A pattern of names: {@code *} stands for any characters but {@code /}, {@code **} for any at all, everything else for
 * itself. Matching takes at most the product of both lengths, whatever the name is.
 *
 * @param text as it is written
 */
record NamePattern(String text) {
    private static final int MAX_CHARS = 1024;

    /** Checks the length. */
    NamePattern {
        if (text.isBlank() || text.length() > MAX_CHARS) {
            throw new IllegalArgumentException("a pattern has 1 to " + MAX_CHARS + " characters: '" + text + "'");
        }
    }

    /** Whether the whole name is matched. */
    boolean matches(String name) {
        boolean[] reached = new boolean[name.length() + 1];
        reached[0] = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean all = text.startsWith("**", i);
            reached = c == '*' ? afterStar(reached, name, all) : afterCharacter(reached, name, c);
            i += all ? 1 : 0;
        }
        return reached[name.length()];
    }

    private static boolean[] afterStar(boolean[] reached, String name, boolean all) {
        boolean[] next = reached.clone();
        for (int at = 1; at <= name.length(); at++) {
            next[at] |= next[at - 1] && (all || name.charAt(at - 1) != '/');
        }
        return next;
    }

    private static boolean[] afterCharacter(boolean[] reached, String name, char c) {
        boolean[] next = new boolean[reached.length];
        for (int at = 1; at <= name.length(); at++) {
            next[at] = reached[at - 1] && name.charAt(at - 1) == c;
        }
        return next;
    }
}
