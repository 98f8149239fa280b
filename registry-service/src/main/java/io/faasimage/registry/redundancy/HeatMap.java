package io.faasimage.registry.redundancy;

import io.faasimage.registry.page.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of a picture of {@link Redundancy}.
 *
 * @param width of the picture
 * @param height of it
 * @param rows names at the left
 * @param columns names at the top
 * @param cells one per pair
 * @param text the same in words
 */
public record HeatMap(int width, int height, List<Label> rows, List<Label> columns, List<Cell> cells, String text) {
    /** Side of a cell with its gap. */
    public static final int CELL = 30;

    private static final int LEFT = 150;
    private static final int TOP = 104;
    private static final int RIGHT = 80;
    private static final int MAX_LABEL = 18;
    private static final int STEPS = 8;

    /**
     * A name.
     *
     * @param x where it is
     * @param y where it is
     * @param text shortened
     * @param full whole
     */
    public record Label(int x, int y, String text, String full) {}

    /**
     * A pair.
     *
     * @param x where it is
     * @param y where it is
     * @param step of the colours, 0 to {@value HeatMap#STEPS}
     * @param label of the cell
     * @param text the same in words
     */
    public record Cell(int x, int y, int step, String label, String text) {}

    /** Copies the lists. */
    public HeatMap {
        rows = List.copyOf(rows);
        columns = List.copyOf(columns);
        cells = List.copyOf(cells);
    }

    /** How many functions there are. */
    public int size() {
        return rows.size();
    }

    /** The picture of shares. */
    public static HeatMap of(Redundancy redundancy) {
        List<String> names = redundancy.functions();
        List<Label> rows = new ArrayList<>();
        List<Label> columns = new ArrayList<>();
        List<Cell> cells = new ArrayList<>();
        for (int row = 0; row < names.size(); row++) {
            String name = names.get(row);
            rows.add(new Label(LEFT - 8, TOP + row * CELL + CELL / 2 + 3, shortened(name), name));
            columns.add(new Label(LEFT + row * CELL + CELL / 2 + 2, TOP - 6, shortened(name), name));
            for (int column = 0; column < names.size(); column++) {
                cells.add(cell(redundancy, row, column));
            }
        }
        int side = names.size() * CELL;
        return new HeatMap(
                LEFT + side + RIGHT,
                TOP + side,
                rows,
                columns,
                cells,
                "Common content of " + names.size() + " functions, " + Figures.percent(redundancy.mean())
                        + " on average");
    }

    private static Cell cell(Redundancy redundancy, int row, int column) {
        double share = redundancy.share().get(row).get(column);
        int x = LEFT + column * CELL;
        int y = TOP + row * CELL;
        String of = redundancy.functions().get(row);
        return row == column
                ? new Cell(x, y, STEPS + 1, "", of)
                : new Cell(
                        x,
                        y,
                        (int) Math.round(share * STEPS),
                        share < 0.005 ? "" : Long.toString(Math.round(100 * share)),
                        Figures.percent(share) + " of " + of + "'s content is in "
                                + redundancy.functions().get(column));
    }

    private static String shortened(String name) {
        return name.length() <= MAX_LABEL ? name : name.substring(0, MAX_LABEL - 1) + "…";
    }
}
