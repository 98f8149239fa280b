package io.faasimage.builder.install;

import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.Credentials;
import io.faasimage.builder.tree.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The directories that an installation writes to, all on its disk.
 *
 * @param function becomes {@link FunctionRuntime#FUNCTION}
 * @param libraries becomes the runtime's directory of libraries
 * @param temporary becomes {@code /tmp}
 */
record InstallDirectories(Path function, Path libraries, Path temporary) {
    /** Those on a disk that is mounted at {@code disk}. */
    static InstallDirectories on(Path disk) {
        return new InstallDirectories(disk.resolve("function"), disk.resolve("libraries"), disk.resolve("temporary"));
    }

    /** Makes them, with what the installation sees of the function. */
    void make(Installation installation) throws IOException {
        for (Path directory : List.of(function, libraries, temporary)) {
            Files.createDirectory(directory);
        }
        FunctionRuntime runtime = installation.runtime();
        for (String dependency : runtime.installed()) {
            Path from = installation.source().resolve(dependency);
            if (Files.isRegularFile(from) || Files.isDirectory(from)) {
                Path to = function.resolve(dependency);
                Files.createDirectories(to.getParent());
                FileTree.copy(from, to);
            }
        }
        // A package in the function's own code is installed whole, into a layer.
        for (Path file : Credentials.in(function, runtime)) {
            if (!runtime.credentials().contains(file.toString())) {
                FileTree.remove(function.resolve(file));
            }
        }
        for (SecretFile link : SecretFile.links(installation.secrets())) {
            Files.createSymbolicLink(temporary.resolve(link.home()), link.path());
        }
        for (Path directory : List.of(function, libraries, temporary)) {
            FileTree.own(directory, ContainerSpec.HOST_USER);
        }
    }
}
