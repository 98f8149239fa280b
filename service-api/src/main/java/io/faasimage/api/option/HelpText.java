package io.faasimage.api.option;

/** A help text of lines and of rows in two columns, broken at spaces. Not thread-safe. */
public final class HelpText {
    private static final int WIDTH = 120;
    private static final int COLUMN = 28;

    private final StringBuilder text = new StringBuilder();

    /** Appends a line. */
    public HelpText line(String line) {
        return wrap(new StringBuilder(), 0, line);
    }

    /** Appends {@code name} and, in the second column, {@code description}. */
    public HelpText row(String name, String description) {
        StringBuilder line = new StringBuilder("  " + name);
        pad(line, Math.max(COLUMN, line.length() + 1));
        return wrap(line, COLUMN, description);
    }

    private HelpText wrap(StringBuilder line, int indent, String description) {
        for (String word : description.split(" ", -1)) {
            if (line.length() > indent && line.length() + word.length() > WIDTH) {
                append(line);
                pad(line, indent);
            }
            line.append(word).append(' ');
        }
        append(line);
        return this;
    }

    private static void pad(StringBuilder line, int length) {
        line.repeat(' ', length - line.length());
    }

    private void append(StringBuilder line) {
        text.append(line.toString().stripTrailing()).append('\n');
        line.setLength(0);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
