package io.faasimage.cli.node;

/**
 * One finding of the doctor.
 *
 * @param subject the examined thing
 * @param state whether it is as it must be
 * @param finding the result
 * @param remedy the remedy; empty when none is needed
 */
record Diagnosis(String subject, State state, String finding, String remedy) {
    /** The severity of a finding. */
    enum State {
        OK,
        /** Works without, but worse or not yet. */
        ADVICE,
        /** faasimage cannot work. */
        MISSING
    }

    static Diagnosis ok(String subject, String finding) {
        return new Diagnosis(subject, State.OK, finding, "");
    }

    static Diagnosis advice(String subject, String finding, String remedy) {
        return new Diagnosis(subject, State.ADVICE, finding, remedy);
    }

    static Diagnosis missing(String subject, String finding, String remedy) {
        return new Diagnosis(subject, State.MISSING, finding, remedy);
    }
}
