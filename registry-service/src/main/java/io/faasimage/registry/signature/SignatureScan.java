package io.faasimage.registry.signature;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** The signatures of an image that were found, and why none of them counted. Not thread-safe. */
final class SignatureScan {
    /** Most signatures of an image that are verified. */
    static final int MAX_SIGNATURES = 32;

    private static final int SHOWN = 3;

    private final SequencedSet<String> reasons = new LinkedHashSet<>();
    private final List<String> places = new ArrayList<>();
    private int found;
    private int left;

    /** Notes where signatures are looked for. */
    void place(String place) {
        places.add(place);
    }

    /** Whether one more signature is verified; else only that it is left out is noted. */
    boolean takes() {
        if (found >= MAX_SIGNATURES) {
            left++;
            return false;
        }
        found++;
        return true;
    }

    void add(SignatureFault fault) {
        reasons.add(String.valueOf(fault.getMessage()));
    }

    /** What was found, for the message of the refusal. */
    String outcome() {
        if (found == 0) {
            return "there is no signature at " + String.join(", ", places);
        }
        String said = String.join("; ", reasons.stream().limit(SHOWN).toList());
        return (found == 1 ? "its signature does not count: " : "none of its " + found + " signatures counts: ")
                + said
                + (left == 0 ? "" : "; " + left + " more were not verified, the limit is " + MAX_SIGNATURES);
    }
}
