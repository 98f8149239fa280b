package io.faasimage.builder;

import io.faasimage.builder.runtime.FunctionRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a function that package managers keep passwords in: the installation sees them, no layer has them. */
final class Credentials {
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
                    ".docker/config.json")
            .map(Path::of)
            .toList();

    private Credentials() {}

    /** Those below {@code source}, at any depth, relative to it and in order. */
    static List<Path> in(Path source, FunctionRuntime runtime) throws IOException {
        List<Path> names = Stream.concat(
                        USUAL.stream(), runtime.credentials().stream().map(Path::of))
                .toList();
        try (Stream<Path> all = Files.walk(source)) {
            return all.filter(file -> names.stream().anyMatch(file::endsWith))
                    .map(source::relativize)
                    .sorted()
                    .toList();
        }
    }
}
