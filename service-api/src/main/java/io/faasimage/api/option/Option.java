package io.faasimage.api.option;

/** An option of a program: a constant of an enum that has all of them, in the order of the help. It takes one value. */
public interface Option {
    /** Its name, with the two hyphens. */
    String option();

    /** The kind of its value, for the help: {@code DIR}. */
    String value();

    /** Its purpose and its default. */
    String help();

    /** Whether it may be given several times. */
    default boolean repeatable() {
        return false;
    }
}
