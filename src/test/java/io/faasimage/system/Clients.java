package io.faasimage.system;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs that no package of the distribution has, built by {@code src/test/clients/build} when they are not there
 * yet.
 */
record Clients(Path directory) {
    /** The programs, by their names in the build script. */
    static final String CONTAINERD = "containerd";

    static final String NERDCTL = "nerdctl";
    static final String CRI = "cri";
    static final String ENGINE = "engine";
    static final String ORAS = "oras";

    /**
     * Builds the missing ones of {@code programs}; without a Go command, its module proxy or another requirement, the
     * tests that need them are skipped with the reason.
     */
    static Clients build(String... programs) throws IOException, InterruptedException {
        Path directory = Path.of("target/clients").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of("clients/build", directory.toString()));
        command.addAll(List.of(programs));
        Shell.Result built = Shell.run(Shell.COMPILING, command);
        if (built.exit() != 0) {
            String[] lines = built.err().strip().split("\n");
            String reason = String.join(", ", programs) + " could not be built: " + lines[lines.length - 1];
            System.out.println("skipped: " + reason + "\n" + built.err());
            Assumptions.abort(reason);
        }
        return new Clients(directory);
    }

    /** The folder of containerd 2, its shim and {@code ctr}. */
    Path containerd() {
        return directory.resolve("containerd-2.4.2");
    }

    Path nerdctl() {
        return directory.resolve("nerdctl");
    }

    Path cri() {
        return directory.resolve("cri");
    }

    Path dockerd() {
        return directory.resolve("dockerd-2.0.0-beta.24/dockerd");
    }

    /** One that Docker's engine accepts; Debian 12's does not know the time namespace. */
    Path runc() {
        return directory.resolve("runc-1.4.0/runc");
    }

    Path oras() {
        return directory.resolve("oras-1.3.6/oras");
    }
}
