package io.faasimage.registry.store.blob;

import java.util.Arrays;

/** The kind of a blob; each has a folder of its own, in a directory as in a bucket. */
public enum BlobKind {
    /** Objects, in a file whose name the engine gave. */
    PACK("packs"),
    /** A metadata image in zstd, by the hex digest of its raw form. */
    METADATA("metadata"),
    /** An encoded plan, by hex digest. */
    PLAN("plans"),
    /** An encoded trace, by hex digest. */
    TRACE("traces"),
    /** The index of a layer that was read, by the hex digest of the layer as stored. */
    LAYER("layers"),
    /** The name of the store, a single one. */
    STORE("store");

    private final String folder;

    BlobKind(String folder) {
        this.folder = folder;
    }

    static BlobKind of(String folder) {
        return Arrays.stream(values())
                .filter(kind -> kind.folder.equals(folder))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not a folder of blobs: " + folder));
    }

    /** The folder's name. */
    public String folder() {
        return folder;
    }
}
