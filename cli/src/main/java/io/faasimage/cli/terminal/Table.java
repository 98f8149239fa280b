package io.faasimage.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of text with aligned columns that fits the terminal: the widest columns give way first, and lose their
 * middle. Columns whose heading begins with {@code >} hold numbers, which stand at the right, and those with {@code =}
 * words; both are never shortened. Those whose heading ends with {@code ?} are left out on narrow terminals.
 */
public final class Table {
    private static final int GAP = 2;
    private static final int LEAST = 4;
    private static final int NARROW = 80;

    private final boolean[] right;
    private final boolean[] whole;
    private final boolean[] optional;
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... header) {
        right = new boolean[header.length];
        whole = new boolean[header.length];
        optional = new boolean[header.length];
        String[] titles = new String[header.length];
        for (int i = 0; i < header.length; i++) {
            right[i] = header[i].startsWith(">");
            whole[i] = right[i] || header[i].startsWith("=");
            optional[i] = header[i].endsWith("?");
            titles[i] = header[i].substring(whole[i] ? 1 : 0, header[i].length() - (optional[i] ? 1 : 0));
        }
        rows.add(titles);
    }

    /** Adds a row, with one cell for each column. */
    public void row(String... cells) {
        rows.add(Arrays.stream(cells).map(Printable::line).toArray(String[]::new));
    }

    /** Rows without the heading. */
    public int size() {
        return rows.size() - 1;
    }

    /** Prints to {@code screen}. */
    public void print(Screen screen) {
        PrintWriter out = screen.out();
        int[] widths = widths(screen.width());
        for (int number = 0; number < rows.size(); number++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                if (isLeftOut(i, screen.width())) {
                    continue;
                }
                String cell = Printable.fit(rows.get(number)[i], widths[i]);
                String space = " ".repeat(widths[i] - Printable.width(cell));
                String shown = number == 0 ? screen.heading(cell) : screen.state(cell);
                line.append(right[i] ? space + shown : shown + space).append(" ".repeat(GAP));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int[] widths(int limit) {
        int[] widths = IntStream.range(0, right.length)
                .map(i -> isLeftOut(i, limit)
                        ? 0
                        : rows.stream()
                                .mapToInt(row -> Printable.width(row[i]))
                                .max()
                                .orElse(0))
                .toArray();
        long shown = Arrays.stream(widths).filter(width -> width > 0).count();
        long over = Arrays.stream(widths).sum() + GAP * (shown - 1) - limit;
        while (over > 0) {
            int widest = widest(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
            over--;
        }
        return widths;
    }

    private boolean isLeftOut(int column, int width) {
        return optional[column] && width < NARROW;
    }

    /** The column to shorten; -1 when none can be. */
    private int widest(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (!whole[i] && widths[i] > LEAST && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    /** The first 12 hex digits of a digest. */
    public static String shortDigest(String digest) {
        String hex = digest.substring(digest.indexOf(':') + 1);
        return hex.substring(0, Math.min(12, hex.length()));
    }
}
