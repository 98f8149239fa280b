package io.faasimage.refactor;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory of one refactoring; gone, with all in it, when closed. */
public record WorkDirectory(Path path) implements Closeable {
    /** Makes one below a parent, which is made, too. */
    public static WorkDirectory create(Path parent) throws RefactorException {
        try {
            Files.createDirectories(parent);
            return new WorkDirectory(Files.createTempDirectory(parent, "refactor-"));
        } catch (IOException e) {
            throw new RefactorException(
                    Kind.LOCAL, "could not make a work directory in " + parent + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path p : all) {
            Files.deleteIfExists(p);
        }
    }
}
