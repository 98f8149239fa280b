package io.faasimage.builder.install;

import java.io.Closeable;
import java.nio.file.Path;

/** What an installation has installed, on its disk, which is there until this is closed. */
public final class Installed implements Closeable {
    private final Path libraries;
    private final InstallMounts mounts;

    Installed(Path libraries, InstallMounts mounts) {
        this.libraries = libraries;
        this.mounts = mounts;
    }

    /** The directory of the libraries. */
    public Path libraries() {
        return libraries;
    }

    @Override
    public void close() {
        mounts.close();
    }
}
