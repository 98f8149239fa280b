package io.faasimage.api.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known word that a misspelt one probably is. */
public final class Nearest {
    /** Most letters that a misspelt word may differ in. */
    private static final int MOST_MISTAKES = 2;

    private Nearest() {}

    /** A question to be appended to an error message; empty if no word of {@code known} is like {@code word}. */
    public static String hint(String word, Collection<String> known) {
        Optional<String> nearest = known.stream()
                .filter(candidate -> distance(candidate, word) <= MOST_MISTAKES)
                .min(Comparator.comparingInt(candidate -> distance(candidate, word)));
        return nearest.map(candidate -> " (did you mean " + candidate + "?)").orElse("");
    }

    /** Letters to insert, to remove or to replace (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
