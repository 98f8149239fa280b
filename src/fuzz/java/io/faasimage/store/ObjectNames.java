package io.faasimage.store;

import java.nio.file.Path;

/** Names of files below a store's shards, for the fuzzer. */
public final class ObjectNames {
    private ObjectNames() {}

    /** Reads a path that may be an object's; if it is, it must be the path of that object. */
    public static void parse(String text) {
        Path path = Path.of("objects").resolve(text);
        if (path.getFileName() != null) {
            Layout.digestOf(path).ifPresent(digest -> {
                if (!path.endsWith(digest.objectPath())) {
                    throw new AssertionError(path + " is not the path of " + digest);
                }
            });
        }
    }
}
