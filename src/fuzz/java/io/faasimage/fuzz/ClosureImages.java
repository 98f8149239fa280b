package io.faasimage.fuzz;

import io.faasimage.closure.StaticClosure;
import io.faasimage.closure.read.ClosureLimits;
import io.faasimage.closure.read.Invocation;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.predict.TreeFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Images whose every file of a kind that the static closure parses has the same content: programs, scripts, sources,
 * settings and descriptions of packages.
 */
final class ClosureImages {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);
    private static final ClosureLimits LIMITS = new ClosureLimits(1000, 16 << 20, 1 << 20, 32, 0.1);
    private static final List<String> PROGRAMS =
            List.of("sh", "env", "tini", "python3.11", "node", "ruby", "php", "java", "fwatchdog");
    private static final List<String> PARSED = List.of(
            "a/program",
            "a/index.py",
            "a/index.js",
            "a/package.json",
            "a/index.rb",
            "a/index.php",
            "a/vendor/composer/autoload_static.php",
            "a/index.jar",
            "a/entry.sh",
            "etc/ld.so.conf",
            "etc/php/8.2/cli/php.ini",
            "usr/lib/python3.11/os.py",
            "usr/lib/python3.11/site-packages/a.pth",
            "usr/lib/python3.11/site-packages/b.abi3.so",
            "usr/lib/ruby/3.1.0/rubygems.rb",
            "lib64/ld-linux-x86-64.so.2");
    private static final List<List<String>> COMMANDS = List.of(
            List.of("/a/program"),
            List.of("python3.11", "/a/index.py"),
            List.of("node", "/a/index.js"),
            List.of("ruby", "/a/index.rb"),
            List.of("php", "/a/index.php"),
            List.of("php", "/a/vendor/composer/autoload_static.php"),
            List.of("java", "-jar", "/a/index.jar"),
            List.of("sh", "/a/entry.sh", "a", "b"));

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    private ClosureImages(byte[] input) {
        byte[] program = "\u007fELF".getBytes(StandardCharsets.ISO_8859_1);
        PROGRAMS.forEach(name -> put(FilePath.ofText("bin/" + name), program));
        PARSED.forEach(path -> put(FilePath.ofText(path), input));
    }

    /** Analyses commands of every kind, each twice: with the same result. */
    static void read(byte[] input) throws IOException {
        ClosureImages image = new ClosureImages(input);
        TreeFiles files = new TreeFiles(image.tree, digest -> new ByteArrayInputStream(image.content(digest)));
        String process = new String(input, 0, Math.min(input.length, 100), StandardCharsets.ISO_8859_1);
        for (List<String> words : COMMANDS) {
            Optional<Invocation> command = Invocation.ofImage(words, List.of("PATH=/bin", "fprocess=" + process), "/a");
            StaticClosure first = StaticClosure.of(files, command, LIMITS);
            if (!StaticClosure.of(files, command, LIMITS).equals(first)) {
                throw new IllegalStateException("another closure of " + words);
            }
        }
    }

    private byte[] content(Digest digest) {
        return contents.getOrDefault(digest, new byte[0]);
    }

    private void put(FilePath path, byte[] content) {
        directory(path.parent());
        Digest digest = Digest.of(content);
        contents.put(digest, content);
        tree.put(
                path,
                content.length == 0
                        ? Inode.RegularFile.empty(ATTRIBUTES)
                        : Inode.RegularFile.of(ATTRIBUTES, content.length, digest));
    }

    private void directory(FilePath path) {
        if (tree.get(path).isEmpty()) {
            directory(path.parent());
            tree.put(path, new Inode.Directory(ATTRIBUTES));
        }
    }
}
