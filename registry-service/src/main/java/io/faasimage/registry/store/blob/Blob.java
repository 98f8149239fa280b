package io.faasimage.registry.store.blob;

import io.faasimage.format.id.Digest;
import java.util.regex.Pattern;

/**
 * The name of a stored file, which never changes once it is there.
 *
 * @param kind of its content
 * @param name among those of its kind
 */
public record Blob(BlobKind kind, String name) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,254}");

    /** Refuses a name that could be more than a file's. */
    public Blob {
        if (!isName(name)) {
            throw new IllegalArgumentException("not a blob's name: '" + name + "'");
        }
    }

    /** Whether a blob can have this name. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The blob of a folder and name. */
    public static Blob parse(String text) {
        int slash = text.indexOf('/');
        return new Blob(BlobKind.of(text.substring(0, slash)), text.substring(slash + 1));
    }

    /** A pack. */
    public static Blob pack(String name) {
        return new Blob(BlobKind.PACK, name);
    }

    /** A metadata image. */
    public static Blob metadata(Digest digest) {
        return new Blob(BlobKind.METADATA, digest.hex());
    }

    /** A plan. */
    public static Blob plan(Digest digest) {
        return new Blob(BlobKind.PLAN, digest.hex());
    }

    /** A trace. */
    public static Blob trace(Digest digest) {
        return new Blob(BlobKind.TRACE, digest.hex());
    }

    /** The index of a layer. */
    public static Blob layer(Digest digest) {
        return new Blob(BlobKind.LAYER, digest.hex());
    }

    /** Folder and name. */
    @Override
    public String toString() {
        return kind.folder() + "/" + name;
    }
}
