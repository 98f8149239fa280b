package io.faasimage.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs that no package of the distribution has, built by {@code src/test/clients/build} when they are not there
 * yet.
 */
record Clients(Path directory) {
    private static final String CONTAINERD = "containerd-2.4.2";

    /**
     * Builds what is missing; without a Go command or its module proxy, the tests that need them are skipped with the
     * reason.
     */
    static Clients build() throws IOException, InterruptedException {
        Path directory = Path.of("target/clients").toAbsolutePath();
        Shell.Result built = Shell.run(Map.of(), List.of("clients/build", directory.toString()));
        if (built.exit() != 0) {
            String[] lines = built.err().strip().split("\n");
            String reason = "containerd 2 and its clients could not be built: " + lines[lines.length - 1];
            System.out.println(reason + "\n" + built.err());
            Assumptions.abort(reason);
        }
        return new Clients(directory);
    }

    /** The folder of containerd 2, its shim and {@code ctr}. */
    Path containerd() {
        return directory.resolve(CONTAINERD);
    }

    Path nerdctl() {
        return directory.resolve("nerdctl");
    }

    Path cri() {
        return directory.resolve("cri");
    }
}
