package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import java.util.List;

/** The form that files with content have in an image: the data behind their inodes, and the place of their content. */
interface ContentForm {
    /** Sizes in blocks of the devices that hold content beside the image itself, the first of which is number 1. */
    List<Long> devices();

    /** Size of the extended attributes that a file with content gets beside its own. */
    int xattrBytes();

    /** Writes as many bytes of extended attributes as {@link #xattrBytes} says. */
    void writeXattrs(Digest content, ImageOutput out);

    /** Sets layout, chunk format and inline bytes of a file with content. */
    void measure(Node node) throws TreeRefusedException;

    /** Writes the data behind the inode of a file with content. */
    void write(Node node, ImageOutput out);
}
