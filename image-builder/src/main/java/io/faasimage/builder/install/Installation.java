package io.faasimage.builder.install;

import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.BuildSecrets;
import java.nio.file.Path;
import java.util.Map;

/**
 * One run of a runtime's installation script.
 *
 * @param id unique among those of this machine; of letters, digits and '-'
 * @param root root file system that it runs in, which it cannot change
 * @param runtime whose script it is
 * @param source directory of the function's code, whose dependency files it sees
 * @param work directory of the build, for the image of the disk and the container's own files
 * @param environment variables besides the usual ones
 * @param secrets files that it may read
 * @param egress hosts that it may reach
 * @param output file that takes what it prints
 */
public record Installation(
        String id,
        Path root,
        FunctionRuntime runtime,
        Path source,
        Path work,
        Map<String, String> environment,
        BuildSecrets secrets,
        EgressRules egress,
        Path output) {
    /** Copies the environment. */
    public Installation {
        environment = Map.copyOf(environment);
    }

    /** The directory of the container's own files. */
    Path bundle() {
        return bundle(work);
    }

    /** That of the build in {@code work}. */
    static Path bundle(Path work) {
        return work.resolve("bundle");
    }
}
