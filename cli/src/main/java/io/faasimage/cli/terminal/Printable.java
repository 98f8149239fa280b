package io.faasimage.cli.terminal;

/** Text of others, made harmless for a terminal. */
public final class Printable {
    private Printable() {}

    /** {@code text} on one line, without characters that a terminal would take for a command. */
    public static String line(String text) {
        return text(text).replace('\n', ' ').replace('\t', ' ');
    }

    /** {@code text} in its lines, without characters that a terminal would take for a command. */
    public static String text(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c != '\n' && c != '\t' && isHarmful(c) ? '?' : c)
                .forEach(harmless::appendCodePoint);
        return harmless.toString();
    }

    /** Control characters, and those that turn the direction of the text after them. */
    private static boolean isHarmful(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
    }

    /** {@code text} in at most {@code width} characters: the excess is left out of its middle. */
    public static String fit(String text, int width) {
        int length = text.codePointCount(0, text.length());
        if (length <= width) {
            return text;
        }
        int head = (width - 1) / 2;
        int tail = width - 1 - head;
        return text.substring(0, text.offsetByCodePoints(0, head))
                + "…"
                + text.substring(text.offsetByCodePoints(text.length(), -tail));
    }

    /** Characters that {@code text} takes on a line. */
    static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
