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
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** The files of builds, while they wait and run: their code, and what they print. Thread-safe. */
@Component
class BuildFiles {
    private final Path builds;
    private final List<Path> leftovers = new ArrayList<>();

    BuildFiles(DataDirectory data) throws IOException {
        this.builds = data.builds();
        for (Path directory : List.of(code(), roots(), work())) {
            Files.createDirectories(directory);
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(code())) {
            left.forEach(leftovers::add);
        }
        // Former versions kept what builds printed here.
        leftovers.add(builds.resolve("outputs"));
    }

    /** Removes what builds of a killed service left; new builds may come meanwhile. */
    void removeLeftovers() throws IOException {
        FileTree.removeAll(leftovers, FileTree::remove);
    }

    private Path code() {
        return builds.resolve("code");
    }

    /** Root file systems of runtimes. */
    Path roots() {
        return builds.resolve("roots");
    }

    /** Layers of libraries that later builds use again. */
    Path layers() {
        return builds.resolve("layers");
    }

    /** Running builds. */
    Path work() {
        return builds.resolve("work");
    }

    /** Makes the directory of a build's code, archive and output. */
    Path newCode(String id) throws IOException {
        return Files.createDirectory(code().resolve(id));
    }

    Path code(String id) {
        return code().resolve(id);
    }

    /** What a build prints. */
    Path output(String id) {
        return code(id).resolve("output");
    }

    /** At most {@code limit} bytes that a build has printed, from a byte on; none when it has not printed that much. */
    byte[] output(String id, long from, int limit) throws IOException {
        try (FileChannel file = FileChannel.open(output(id))) {
            file.position(Math.min(from, file.size()));
            return Channels.newInputStream(file).readNBytes(limit);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }
}
