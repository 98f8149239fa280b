package io.faasimage.builder;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A request to build an image.
 *
 * @param name of the function, as it was registered
 * @param runtime that it is written for
 * @param target where the image goes
 * @param memory of its containers, as {@code 128Mi}; empty when it was not said
 * @param environment of the function: names of letters, digits and {@code _}, values without line ends
 * @param libraries what becomes of the libraries that an earlier build with the same dependencies installed
 * @param secrets files that the installation alone may read
 */
public record BuildRequest(
        String name,
        FunctionRuntime runtime,
        ImageReference target,
        Optional<String> memory,
        SortedMap<String, String> environment,
        KeptLibraries libraries,
        BuildSecrets secrets) {
    private static final Pattern MEMORY = Pattern.compile("[1-9][0-9]{0,12}([kKMG]i?)?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Set<String> RESERVED = Set.of("PATH", "PORT");
    private static final int MAX_VARIABLES = 256;
    private static final int MAX_VALUE_CHARS = 32 << 10;

    /** Copies the environment. */
    public BuildRequest {
        environment = new TreeMap<>(environment);
    }

    /** A request of a user's; what is wrong in it is named. */
    public static BuildRequest of(
            String name,
            FunctionRuntime runtime,
            ImageReference target,
            Optional<String> memory,
            Map<String, String> environment,
            KeptLibraries libraries,
            BuildSecrets secrets)
            throws BuildException {
        if (memory.isPresent() && !MEMORY.matcher(memory.get()).matches()) {
            throw BuildException.badRequest("'" + printable(memory.get())
                    + "' is not a memory size; write bytes, or a number with Ki, Mi or Gi");
        }
        if (environment.size() > MAX_VARIABLES) {
            throw BuildException.badRequest("a function has at most " + MAX_VARIABLES + " environment variables");
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            check(variable.getKey(), variable.getValue());
        }
        return new BuildRequest(name, runtime, target, memory, new TreeMap<>(environment), libraries, secrets);
    }

    /** The same without its secrets: for those who need not know them. */
    public BuildRequest withoutSecrets() {
        return new BuildRequest(name, runtime, target, memory, environment, libraries, BuildSecrets.NONE);
    }

    private static void check(String variable, String value) throws BuildException {
        if (!VARIABLE.matcher(variable).matches()) {
            throw BuildException.badRequest("'" + printable(variable)
                    + "' is not a name of an environment variable; use letters, digits and '_'");
        }
        if (RESERVED.contains(variable)) {
            throw BuildException.badRequest("the environment variable " + variable + " is set by the runtime");
        }
        if (value.length() > MAX_VALUE_CHARS || value.chars().anyMatch(c -> c == 0 || c == '\n' || c == '\r')) {
            throw BuildException.badRequest("the value of the environment variable " + variable + " is longer than "
                    + MAX_VALUE_CHARS + " characters or has line ends in it");
        }
    }

    private static String printable(String text) {
        return (text.length() > 100 ? text.substring(0, 100) + "..." : text).replaceAll("\\p{Cntrl}", "?");
    }
}
