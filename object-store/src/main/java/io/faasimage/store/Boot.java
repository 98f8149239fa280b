package io.faasimage.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The running system as the store sees it.
 *
 * @param id differs from one boot of the machine to the next
 * @param clock the wall clock, as the times of directories use it
 */
record Boot(String id, InstantSource clock) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    static Boot current() throws IOException {
        return new Boot(Files.readString(BOOT_ID).strip(), InstantSource.system());
    }
}
