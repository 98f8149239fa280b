package io.faasimage.refactor.closure.reads;

/** The reason why a start reads a file. */
public enum ClosureReason {
    /** The command of the image names it, or a script or program that this command starts does. */
    PROGRAM,
    /** The dynamic loader and what it reads to find libraries. */
    LOADER,
    /** A shared library that a program or another library needs. */
    LIBRARY,
    /** A module that code imports, requires or includes. */
    MODULE,
    /** What an interpreter or virtual machine reads before the function's code. */
    RUNTIME,
    /** Settings, locales and descriptions of packages. */
    CONFIGURATION,
    /** A file that the function's code names. */
    DATA
}
