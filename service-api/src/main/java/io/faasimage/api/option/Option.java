package io.faasimage.api.option;

/** An option of a program: a constant of an enum that has all of them, in the order of the help. It takes one value. */
public interface Option {
    /** Its name, with the two hyphens. */
    String option();

    /** What its value is, for the help: {@code DIR}. */
    String value();

    /** What it is for, and its default. */
    String help();

    /** Whether it may be given several times. */
    default boolean repeatable() {
        return false;
    }
}
