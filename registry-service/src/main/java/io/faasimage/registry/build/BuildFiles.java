package io.faasimage.registry.build;

import io.faasimage.builder.tree.FileTree;
import io.faasimage.registry.config.DataDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The archives of builds, while they wait and run: builders fetch them. Thread-safe. */
@Component
class BuildFiles {
    private static final Logger LOG = LoggerFactory.getLogger(BuildFiles.class);

    private final Path builds;
    private final List<Path> leftovers = new ArrayList<>();

    BuildFiles(DataDirectory data) throws IOException {
        this.builds = data.builds();
        Files.createDirectories(code());
        try (DirectoryStream<Path> left = Files.newDirectoryStream(code())) {
            left.forEach(leftovers::add);
        }
    }

    /** Removes what builds of a killed service left; new builds may come meanwhile. */
    void removeLeftovers() {
        try {
            FileTree.removeAll(leftovers, FileTree::remove);
        } catch (IOException | RuntimeException e) {
            LOG.warn("could not remove the archives of earlier builds, the next start tries again", e);
        }
    }

    private Path code() {
        return builds.resolve("code");
    }

    /** The directory of the builder that this process starts. */
    Path embedded() {
        return builds;
    }

    /** Makes the directory of a build's archive. */
    Path newCode(String id) throws IOException {
        return Files.createDirectory(code().resolve(id));
    }

    /** The archive of a build's code. */
    Path archive(String id) {
        return code().resolve(id).resolve("archive");
    }

    /** Removes the archive of a build that has ended. */
    void remove(String id) {
        try {
            FileTree.remove(code().resolve(id));
        } catch (IOException e) {
            LOG.warn("could not remove the files of build {}: {}", id, e.toString());
        }
    }
}
