package io.faasimage.refactor.classify;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** A source of the content of small files. */
@FunctionalInterface
public interface Contents {
    /** The whole content. */
    byte[] read(Digest digest) throws IOException;
}
