package io.faasimage.builder.install;

import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.runtime.FunctionRuntime;
import java.nio.file.Path;
import java.util.Map;

/**
 * One run of a runtime's installation script.
 *
 * @param id unique among those of this machine; of letters, digits and '-'
 * @param root root file system that it runs in, which it cannot change
 * @param runtime whose script it is
 * @param function directory that becomes {@link FunctionRuntime#FUNCTION}
 * @param libraries directory that becomes the runtime's directory of libraries
 * @param temporary directory that becomes {@code /tmp}
 * @param bundle empty directory for the container's own files
 * @param environment variables besides the usual ones
 * @param egress hosts that it may reach
 * @param output file that takes what it prints
 */
public record Installation(
        String id,
        Path root,
        FunctionRuntime runtime,
        Path function,
        Path libraries,
        Path temporary,
        Path bundle,
        Map<String, String> environment,
        EgressRules egress,
        Path output) {
    /** Copies the environment. */
    public Installation {
        environment = Map.copyOf(environment);
    }
}
