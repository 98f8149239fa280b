package io.faasimage.bench.measure;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells as text: the first two columns flush left, the others flush right, two spaces between. */
public final class TextTable {
    private static final int LEFT_COLUMNS = 2;

    private TextTable() {}

    /** One line per row; every row has as many cells as the first. */
    public static String format(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < rows.getFirst().size(); column++) {
            int width = 0;
            for (List<String> row : rows) {
                width = Math.max(width, row.get(column).length());
            }
            widths.add(width);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.size(); column++) {
                String padding = " ".repeat(widths.get(column) - row.get(column).length());
                boolean left = column < LEFT_COLUMNS;
                line.append(column == 0 ? "" : "  ")
                        .append(left ? row.get(column) + padding : padding + row.get(column));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}
