package io.faasimage.cli.line;

/** The owner of arguments: a command, or the common part of several commands. */
public interface ArgumentGroup {
    /** Its arguments. */
    Arguments arguments();
}
