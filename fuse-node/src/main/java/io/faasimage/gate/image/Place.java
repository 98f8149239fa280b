package io.faasimage.gate.image;

import io.faasimage.format.erofs.ErofsView;

/** The entry at a path. */
public sealed interface Place {
    /** The mount's own root: a directory that is not listed. */
    record Top() implements Place {}

    /**
     * Something in an image.
     *
     * @param image it is in
     * @param entry where
     */
    record Inside(ErofsView image, ErofsView.Entry entry) implements Place {}

    /** Nothing, and it will stay so. */
    record Absent() implements Place {}
}
