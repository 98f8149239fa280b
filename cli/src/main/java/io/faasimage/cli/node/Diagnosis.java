package io.faasimage.cli.node;

/**
 * One finding of the doctor.
 *
 * @param subject what was looked at
 * @param state whether it is as it must be
 * @param finding what was found
 * @param remedy what to do; empty when nothing
 */
record Diagnosis(String subject, State state, String finding, String remedy) {
    /** How bad it is. */
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
