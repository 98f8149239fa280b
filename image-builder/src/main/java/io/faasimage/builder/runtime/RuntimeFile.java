package io.faasimage.builder.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One runtime file as it is written; what is absent comes from the file of the same name before it.
 *
 * @param name of the language, such as {@code python}
 * @param defaultVersion the version that the name alone stands for
 * @param versions by version
 * @param handler the file that a function must have
 * @param dependencies files and directories of the function that the installation sees
 * @param credentials files of the function that the installation sees and no layer has
 * @param registries hosts of the package registries that the installation reaches
 * @param libraries directory of the image that libraries are installed into
 * @param install shell script that installs them
 * @param environment of the image
 * @param command words that start the server
 * @param files of the image, by path
 * @param template files of a new function, by path
 */
record RuntimeFile(
        String name,
        @Nullable String defaultVersion,
        @Nullable Map<String, Images> versions,
        @Nullable String handler,
        @Nullable List<String> dependencies,
        @Nullable List<String> credentials,
        @Nullable List<String> registries,
        @Nullable String libraries,
        @Nullable String install,
        @Nullable Map<String, String> environment,
        @Nullable List<String> command,
        @Nullable Map<String, String> files,
        @Nullable Map<String, String> template) {
    /**
     * The images of one version.
     *
     * @param image that functions are built on
     * @param installImage that libraries are installed in, when {@code image} has no package manager
     */
    record Images(String image, @Nullable String installImage) {}

    /** This file with what it lacks from {@code earlier}; versions are put together. */
    RuntimeFile over(RuntimeFile earlier) {
        Map<String, Images> all = new LinkedHashMap<>(earlier.versions == null ? Map.of() : earlier.versions);
        if (versions != null) {
            all.putAll(versions);
        }
        return new RuntimeFile(
                name,
                first(defaultVersion, earlier.defaultVersion),
                all,
                first(handler, earlier.handler),
                first(dependencies, earlier.dependencies),
                first(credentials, earlier.credentials),
                first(registries, earlier.registries),
                first(libraries, earlier.libraries),
                first(install, earlier.install),
                first(environment, earlier.environment),
                first(command, earlier.command),
                first(files, earlier.files),
                first(template, earlier.template));
    }

    private static <T> @Nullable T first(@Nullable T mine, @Nullable T earlier) {
        return mine == null ? earlier : mine;
    }
}
