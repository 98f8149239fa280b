package io.faasimage.cli.tune;

import java.util.List;

/** What turning a lever on or off did. */
public sealed interface LeverChange {
    /**
     * It was done.
     *
     * @param steps what was changed, and what is left to the user
     */
    record Done(List<String> steps) implements LeverChange {
        /** Copies the list. */
        public Done {
            steps = List.copyOf(steps);
        }
    }

    /** It was in that state already. */
    record Nothing(String reason) implements LeverChange {}

    /**
     * Nothing was changed, because it is the user's to change.
     *
     * @param steps of the user
     */
    record ByHand(List<String> steps) implements LeverChange {
        /** Copies the list. */
        public ByHand {
            steps = List.copyOf(steps);
        }
    }
}
