package io.faasimage.cli.line;

/** The owner of arguments: a command, or what several commands have in common. */
public interface ArgumentGroup {
    /** Its arguments. */
    Arguments arguments();
}
