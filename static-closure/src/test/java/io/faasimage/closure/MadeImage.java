package io.faasimage.closure;

import io.faasimage.closure.read.ClosureFile;
import io.faasimage.closure.read.ClosureLimits;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.format.tree.FilePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A small root file system made by a test, and the closure of a command in it. */
final class MadeImage implements ImageFiles {
    static final long TIME = 1_700_000_000;

    /** Contents by path; those of directories are absent. */
    private final Map<String, Optional<byte[]>> contents = new TreeMap<>(Map.of("", Optional.empty()));

    private final Map<String, String> links = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>(Map.of("PATH", "/usr/bin:/bin"));
    private String directory = "/app";
    private ClosureLimits limits = ClosureLimits.DEFAULT;

    MadeImage file(String path, String content) {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    MadeImage file(String path, byte[] content) {
        parents(path);
        contents.put(path, Optional.of(content));
        return this;
    }

    MadeImage link(String path, String target) {
        parents(path);
        links.put(path, target);
        return this;
    }

    private void parents(String path) {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            contents.putIfAbsent(path.substring(0, slash), Optional.empty());
        }
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

    @Override
    public Optional<ImageEntry> find(String path) {
        Deque<String> todo = new ArrayDeque<>(Arrays.asList(path.split("/")));
        String at = "";
        for (int steps = 0; !todo.isEmpty() && steps < 1000; steps++) {
            String name = todo.pop();
            String next = at + "/" + name;
            if (name.equals("..")) {
                at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
            } else if (links.containsKey(next)) {
                at = links.get(next).startsWith("/") ? "" : at;
                List.of(links.get(next).split("/")).reversed().forEach(todo::push);
            } else if (!name.isEmpty() && !name.equals(".")) {
                at = next;
            }
        }
        Optional<byte[]> content = contents.get(at);
        if (content == null) {
            return Optional.empty();
        }
        FilePath real = at.isEmpty() ? FilePath.ROOT : FilePath.ofText(at.substring(1));
        return Optional.of(
                content.isEmpty()
                        ? new ImageEntry.Directory(real)
                        : new ImageEntry.File(real, content.get().length, TIME, true, Optional.empty()));
    }

    @Override
    public List<String> names(FilePath path) {
        String prefix = (path.isRoot() ? "" : "/" + path.raw()) + "/";
        TreeMap<String, String> names = new TreeMap<>(links);
        contents.keySet().forEach(one -> names.put(one, one));
        return names.keySet().stream()
                .filter(one -> one.startsWith(prefix) && one.indexOf('/', prefix.length()) < 0)
                .map(one -> one.substring(prefix.length()))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    @Override
    public InputStream open(ImageEntry.File file) {
        return new ByteArrayInputStream(contents.get(file.name()).orElseThrow());
    }

    StaticClosure closure(String... command) throws IOException {
        List<String> variables = environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        return StaticClosure.of(this, Invocation.ofImage(List.of(command), variables, directory), limits);
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
