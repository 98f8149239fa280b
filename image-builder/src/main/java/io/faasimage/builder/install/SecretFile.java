package io.faasimage.builder.install;

import io.faasimage.builder.secret.BuildSecrets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A secret that package managers find by themselves.
 *
 * @param path of the file in the container
 * @param home name of the link to it in the home directory; empty for none
 * @param variables that lead to it; {@code %s} stands for the path
 */
record SecretFile(Path path, String home, Map<String, String> variables) {
    /** Where secrets are in the container. */
    static final Path DIRECTORY = Path.of("/run/secrets");

    /** By their ids. Composer's, auth.json, is linked by its runtime's script. */
    private static final Map<String, SecretFile> KNOWN = Map.of(
            "npmrc", of("", Map.of("NPM_CONFIG_USERCONFIG", "%s")),
            "pip.conf", of("", Map.of("PIP_CONFIG_FILE", "%s")),
            "netrc", of(".netrc", Map.of("NETRC", "%s")),
            "bundle-config", of("", Map.of("BUNDLE_USER_CONFIG", "%s")),
            ".git-credentials",
                    of(
                            "",
                            // The helper's "store" and "erase" would write.
                            Map.of(
                                    "GIT_CONFIG_COUNT", "1",
                                    "GIT_CONFIG_KEY_0", "credential.helper",
                                    "GIT_CONFIG_VALUE_0",
                                            "!f() { test \"$1\" = get && git credential-store --file %s get; }; f")));

    private static SecretFile of(String home, Map<String, String> variables) {
        return new SecretFile(DIRECTORY, home, variables);
    }

    private static Optional<SecretFile> known(String id) {
        Path path = DIRECTORY.resolve(id);
        return Optional.ofNullable(KNOWN.get(id)).map(file -> new SecretFile(path, file.home, file.variables));
    }

    /** Those that are found in the home directory. */
    static List<SecretFile> links(BuildSecrets secrets) {
        return secrets.ids().stream()
                .flatMap(id -> known(id).stream())
                .filter(file -> !file.home.isEmpty())
                .toList();
    }

    /** The variables that lead to {@code secrets}. */
    static SortedMap<String, String> environment(BuildSecrets secrets) {
        SortedMap<String, String> all = new TreeMap<>();
        for (String id : secrets.ids()) {
            known(id)
                    .ifPresent(file -> file.variables.forEach(
                            (name, value) -> all.put(name, value.replace("%s", file.path.toString()))));
        }
        return all;
    }
}
