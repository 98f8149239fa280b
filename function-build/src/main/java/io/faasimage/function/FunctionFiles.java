package io.faasimage.function;

import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import io.faasimage.function.runtime.FunctionRuntime;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The files of a directory that become part of an image. Symbolic links are followed, since jib's layers have none; one
 * that leads out of the directory would bring a file of the developer's machine into the image and is an error.
 */
public final class FunctionFiles {
    /** Histories, caches, and libraries that the build installs itself. */
    private static final Set<String> LEFT_OUT =
            Set.of(".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".DS_Store");

    /** Files in which package managers and programs keep passwords; examples are for readers and have none. */
    private static final Pattern CREDENTIALS = Pattern.compile("\\.npmrc|\\.yarnrc(\\.yml)?|auth\\.json|pip\\.conf"
            + "|\\.pypirc|[._]netrc|\\.git-credentials|\\.env(\\.(?!(example|sample|template|dist|defaults)$).+)?");

    private static final List<Path> CREDENTIAL_PATHS =
            List.of(Path.of(".bundle/config"), Path.of(".gem/credentials"), Path.of(".docker/config.json"));

    private FunctionFiles() {}

    /** The files and directories of the code in {@code source}, in order; not {@link #LEFT_OUT}. */
    public static List<Path> code(Path source) throws IOException {
        if (!Files.isDirectory(source)) {
            throw new IOException(source + " is not a directory; give the one with the function's code");
        }
        return list(source, path -> LEFT_OUT.contains(String.valueOf(path.getFileName())));
    }

    /** All files and directories of {@code top}, in order. */
    static List<Path> all(Path top) throws IOException {
        return list(top, path -> false);
    }

    private static List<Path> list(Path top, Predicate<Path> without) throws IOException {
        Path real = top.toRealPath();
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(top, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (!directory.equals(top) && without.test(directory)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return add(directory);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (without.test(file)) {
                    return FileVisitResult.CONTINUE;
                }
                // A dangling link has the attributes of the link; sockets and pipes are of no use.
                return attributes.isRegularFile() || attributes.isSymbolicLink() ? add(file) : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof FileSystemLoopException) {
                    throw new IOException("the symbolic link " + file + " leads to a directory above it");
                }
                throw failure;
            }

            private FileVisitResult add(Path path) throws IOException {
                if (Files.isSymbolicLink(path)
                        && !path.equals(top)
                        && !(Files.exists(path) && path.toRealPath().startsWith(real))) {
                    throw new IOException("the symbolic link " + path + " leads nowhere, or out of " + top
                            + "; put what it names into the directory");
                }
                if (path.toString().indexOf('\uFFFD') >= 0) {
                    throw new IOException("the file name '" + path + "' is not UTF-8, or LC_ALL is not C.UTF-8");
                }
                found.add(path);
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(found);
        return found;
    }

    /** Whether the file {@code path} of the code may have passwords, so that no layer may have it. */
    static boolean isCredential(Path path, FunctionRuntime runtime) {
        return CREDENTIALS.matcher(String.valueOf(path.getFileName())).matches()
                || CREDENTIAL_PATHS.stream().anyMatch(path::endsWith)
                || runtime.credentials().stream().anyMatch(name -> path.endsWith(Path.of(name)));
    }

    /** A layer of all files of {@code directory}, at the path {@code place}: owned by root, of one time. */
    static FileEntriesLayer layer(String name, Path directory, String place) throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        for (Path path : all(directory)) {
            if (path.equals(directory)) {
                continue;
            }
            boolean program = Files.isDirectory(path) || Files.isExecutable(path);
            layer.addEntry(
                    path,
                    AbsoluteUnixPath.get(place)
                            .resolve(directory.relativize(path).toString()),
                    FilePermissions.fromOctalString(program ? "755" : "644"));
        }
        return layer.build();
    }
}
