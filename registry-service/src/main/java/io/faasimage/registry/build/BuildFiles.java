package io.faasimage.registry.build;

import io.faasimage.builder.tree.FileTree;
import io.faasimage.registry.config.DataDirectory;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;

/** The files of builds: code while a build waits and runs, and what it printed as long as it is remembered. Thread-safe. */
@Component
class BuildFiles {
    private final Path builds;

    BuildFiles(DataDirectory data) throws IOException {
        this.builds = data.builds();
        FileTree.remove(code());
        for (Path directory : List.of(code(), outputs(), roots(), work())) {
            Files.createDirectories(directory);
        }
    }

    private Path code() {
        return builds.resolve("code");
    }

    private Path outputs() {
        return builds.resolve("outputs");
    }

    /** Root file systems of runtimes. */
    Path roots() {
        return builds.resolve("roots");
    }

    /** Running builds. */
    Path work() {
        return builds.resolve("work");
    }

    /** Makes the directory of a build's code and archive. */
    Path newCode(String id) throws IOException {
        return Files.createDirectory(code().resolve(id));
    }

    Path code(String id) {
        return code().resolve(id);
    }

    Path output(String id) {
        return outputs().resolve(id);
    }

    /** At most {@code limit} bytes that a build printed, from a byte on; none when it has not printed that much. */
    byte[] output(String id, long from, int limit) throws IOException {
        try (FileChannel file = FileChannel.open(output(id))) {
            file.position(Math.min(from, file.size()));
            return Channels.newInputStream(file).readNBytes(limit);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** Removes the outputs of builds other than these. */
    void keepOutputs(List<String> ids) throws IOException {
        Set<String> kept = new HashSet<>(ids);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(outputs())) {
            for (Path output : all) {
                if (!kept.contains(String.valueOf(output.getFileName()))) {
                    Files.deleteIfExists(output);
                }
            }
        }
    }
}
