package io.faasimage.refactor.predict;

/** The kind of evidence that a start reads a file, the strongest first. */
public enum Evidence {
    /** Starts of an earlier image read the file at this path. */
    TRACE("trace", 1),
    /** Starts of an earlier image read this content at another path. */
    MOVED("moved", 1),
    /** Starts of other functions read this file of the library. */
    LIBRARY("library", 0.97),
    /** Starts of other functions on this runtime read the file. */
    BASE("base", 0.97),
    /** The entry point needs the file, as the image's files say. */
    CLOSURE("closure", 0.97),
    /** The file lies in a library of which starts read others; nothing else leads to it. */
    SIBLING("sibling", 0.9);

    private final String label;
    private final double coverage;

    Evidence(String label, double coverage) {
        this.label = label;
        this.coverage = coverage;
    }

    /** The share of a start's reads that it is assumed to find where it finds anything (decision 40). */
    double coverage() {
        return coverage;
    }

    /** Its name in documents. */
    public String label() {
        return label;
    }
}
