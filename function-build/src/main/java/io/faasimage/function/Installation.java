package io.faasimage.function;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of the installation of a function's libraries.
 *
 * @param tool that runs the package manager; empty for the first that is installed
 * @param secrets files that the package manager reads at {@code /run/secrets/NAME}, by name
 * @param variables of this process that the package manager gets too
 * @param fresh whether to install although an earlier build had the same dependencies
 */
public record Installation(
        Optional<ContainerTool> tool, SortedMap<String, Path> secrets, List<String> variables, boolean fresh) {
    /** Fails unless secrets and variables are there. */
    void check() throws IOException {
        for (Map.Entry<String, Path> secret : secrets.entrySet()) {
            if (!secret.getKey().matches("\\.?[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
                    || !Files.isReadable(secret.getValue())) {
                throw new IOException("the secret '" + secret.getKey() + "' cannot be read: write --secret NAME=FILE"
                        + " with a file that you can read, not '" + secret.getValue() + "'");
            }
        }
        values();
    }

    /** The variables with their values. */
    SortedMap<String, String> values() throws IOException {
        SortedMap<String, String> values = new TreeMap<>();
        for (String name : variables) {
            String value = System.getenv(name);
            if (value == null || value.indexOf('\n') >= 0) {
                throw new IOException("the package manager cannot get the variable " + name
                        + ", which is not set or has several lines; a value for the function is --env " + name
                        + "=VALUE");
            }
            values.put(name, value);
        }
        return values;
    }
}
