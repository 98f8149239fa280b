package io.faasimage.registry.platform.list;

import io.faasimage.registry.platform.problem.ProblemException;
import java.util.List;

/**
 * One page of a list.
 *
 * @param rows of this page
 * @param page which one, from 1
 * @param pages how many there are, at least 1
 * @param total rows of all pages
 */
public record Slice<T>(List<T> rows, int page, int pages, long total) {
    /** Rows of a full page. */
    public static final int SIZE = 50;

    private static final int LAST = 1_000_000;

    public Slice {
        rows = List.copyOf(rows);
    }

    /** A page out of {@code total} rows. */
    public static <T> Slice<T> of(List<T> rows, int page, long total) {
        return new Slice<>(rows, page, (int) Math.max(1, (total + SIZE - 1) / SIZE), total);
    }

    /** The number of rows before a page; refuses pages that no list has. */
    public static int offset(int page) {
        if (page < 1 || page > LAST) {
            throw ProblemException.badRequest("'page' is " + page + "; it counts from 1");
        }
        return (page - 1) * SIZE;
    }
}
