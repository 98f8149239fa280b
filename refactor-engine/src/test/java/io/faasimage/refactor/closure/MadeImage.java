package io.faasimage.refactor.closure;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.image.TreeFiles;
import io.faasimage.refactor.closure.reads.ClosureFile;
import io.faasimage.refactor.closure.reads.ClosureLimits;
import io.faasimage.refactor.closure.reads.ParsedContents;
import io.faasimage.refactor.image.ImageConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small root file system made by a test, and the closure of a command in it. */
final class MadeImage {
    static final long TIME = 1_700_000_000;

    private final FileTree tree = new FileTree(Attributes.of(0755, 0, 0, TIME, 0));
    private final Map<Digest, byte[]> contents = new HashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>(Map.of("PATH", "/usr/bin:/bin"));
    private final Map<Digest, Integer> opened = new HashMap<>();
    private String directory = "/app";
    private ClosureLimits limits = ClosureLimits.DEFAULT;
    private ParsedContents parsed = new ParsedContents(0);

    MadeImage file(String path, String content) {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    MadeImage file(String path, byte[] content) {
        Digest digest = Digest.of(content);
        contents.put(digest, content);
        Attributes attributes = Attributes.of(0755, 0, 0, TIME, 0);
        return put(
                path,
                content.length == 0
                        ? Inode.RegularFile.empty(attributes)
                        : Inode.RegularFile.of(attributes, content.length, digest));
    }

    MadeImage link(String path, String target) {
        return put(path, new Inode.Symlink(Attributes.of(0777, 0, 0, TIME, 0), target));
    }

    /** A program or library that needs these libraries. */
    MadeImage elf(String path, MadeElf elf) {
        return file(path, elf.bytes());
    }

    MadeImage with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    MadeImage in(String workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    MadeImage limited(ClosureLimits other) {
        limits = other;
        return this;
    }

    MadeImage parsedBefore(ParsedContents other) {
        parsed = other;
        return this;
    }

    private MadeImage put(String path, Inode inode) {
        FilePath at = FilePath.ofText(path.substring(1));
        if (tree.get(at.parent()).isEmpty()) {
            makeDirectory(at.parent());
        }
        tree.put(at, inode);
        return this;
    }

    private void makeDirectory(FilePath path) {
        if (tree.get(path.parent()).isEmpty()) {
            makeDirectory(path.parent());
        }
        tree.put(path, new Inode.Directory(Attributes.of(0755, 0, 0, TIME, 0)));
    }

    /** Other bytes in the place of a file's content, as a damaged disk has them. */
    MadeImage damaged(String path, String bytes) {
        contents.put(file(path).content().orElseThrow(), bytes.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** How many contents were opened so far. */
    int opened() {
        return opened.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How often the content of a file was opened so far. */
    int opened(String path) {
        return opened.getOrDefault(file(path).content().orElseThrow(), 0);
    }

    private Inode.RegularFile file(String path) {
        return (Inode.RegularFile) tree.get(FilePath.ofText(path.substring(1))).orElseThrow();
    }

    ImageFiles files() {
        return new TreeFiles(tree, digest -> {
            opened.merge(digest, 1, Integer::sum);
            return new ByteArrayInputStream(contents.getOrDefault(digest, new byte[0]));
        });
    }

    StaticClosure closure(String... command) throws IOException {
        List<String> variables = environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        ImageConfig config =
                new ImageConfig(variables, Map.of(), List.of(), List.of(command), List.of(), directory, "");
        return StaticClosure.of(files(), config, limits, parsed);
    }

    /** The paths of a command's closure, in order. */
    List<String> reads(String... command) throws IOException {
        return closure(command).files().stream()
                .map(file -> file.path().display())
                .toList();
    }

    /** The confidences by path. */
    Map<String, Double> confidences(String... command) throws IOException {
        Map<String, Double> confidences = new LinkedHashMap<>();
        for (ClosureFile file : closure(command).files()) {
            confidences.put(file.path().display(), file.confidence());
        }
        return confidences;
    }
}
