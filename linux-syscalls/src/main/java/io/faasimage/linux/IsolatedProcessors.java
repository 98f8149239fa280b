package io.faasimage.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The processors that the kernel keeps from work of its own ({@code isolcpus}, {@code nohz_full}). */
public final class IsolatedProcessors {
    private IsolatedProcessors() {}

    /**
     * Their list, with the file that it is from; empty when there are none.
     *
     * @param system the root of {@code /sys}
     */
    public static Optional<String> find(Path system) throws IOException {
        for (String name : new String[] {"isolated", "nohz_full"}) {
            Path file = system.resolve("devices/system/cpu").resolve(name);
            String list = Files.exists(file) ? Files.readString(file).strip() : "";
            if (!list.isEmpty() && !list.equals("(null)")) {
                return Optional.of(list + " (" + file + ")");
            }
        }
        return Optional.empty();
    }
}
