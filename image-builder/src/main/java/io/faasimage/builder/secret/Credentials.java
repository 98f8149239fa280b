package io.faasimage.builder.secret;

import io.faasimage.builder.runtime.FunctionRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a function that package managers, and programs with settings in {@code .env}, keep passwords in. The
 * installation sees those of its package manager; no layer has any.
 */
public final class Credentials {
    /** Whatever the language: a function may have the files of another one's package manager. */
    private static final List<Path> USUAL = Stream.of(
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    "auth.json",
                    "pip.conf",
                    ".pypirc",
                    ".bundle/config",
                    ".gem/credentials",
                    ".netrc",
                    "_netrc",
                    ".git-credentials",
                    ".docker/config.json",
                    ".env")
            .map(Path::of)
            .toList();

    /** Variants such as {@code .env.production}; examples are for readers and have no passwords. */
    private static final Pattern ENVIRONMENT =
            Pattern.compile("\\.env\\.(?!example$|sample$|template$|dist$|defaults$).+");

    private Credentials() {}

    /** Those below {@code source}, at any depth, relative to it and in order. */
    public static List<Path> in(Path source, FunctionRuntime runtime) throws IOException {
        List<Path> names = Stream.concat(
                        USUAL.stream(), runtime.credentials().stream().map(Path::of))
                .toList();
        try (Stream<Path> all = Files.walk(source)) {
            return all.filter(file -> names.stream().anyMatch(file::endsWith)
                            || ENVIRONMENT
                                    .matcher(file.getFileName().toString())
                                    .matches())
                    .map(source::relativize)
                    .sorted()
                    .toList();
        }
    }
}
