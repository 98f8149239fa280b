package io.faasimage.refactor.closure.elf;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The places where a dynamic loader looks for libraries that no path in an ELF file leads to: for glibc its cache, the
 * directories of {@code /etc/ld.so.conf} and the default ones; for musl those of {@code /etc/ld-musl-*.path}.
 */
final class LibraryDirectories {
    private static final Map<Integer, String> TRIPLETS = Map.of(
            62, "x86_64-linux-gnu",
            183, "aarch64-linux-gnu",
            21, "powerpc64le-linux-gnu",
            22, "s390x-linux-gnu",
            40, "arm-linux-gnueabihf",
            243, "riscv64-linux-gnu",
            3, "i386-linux-gnu");
    private static final String CACHE = "/etc/ld.so.cache";
    private static final int MAX_INCLUDES = 64;

    private final Reads reads;
    private final Map<String, String> cache;
    private final List<String> directories;

    private LibraryDirectories(Reads reads, Map<String, String> cache, List<String> directories) {
        this.reads = reads;
        this.cache = cache;
        this.directories = directories;
    }

    /** Those of a program with this loader, and adds the files that the loader itself reads. */
    static LibraryDirectories of(Reads reads, String loader, int machine, double confidence) throws IOException {
        return loader.contains("/ld-musl-")
                ? musl(reads, loader, confidence)
                : glibc(reads, loader, machine, confidence);
    }

    private static LibraryDirectories musl(Reads reads, String loader, double confidence) throws IOException {
        String name = loader.substring(loader.lastIndexOf("/ld-musl-") + 1);
        String file = "/etc/" + (name.contains(".so") ? name.substring(0, name.indexOf(".so")) : name) + ".path";
        reads.add(file, ClosureReason.LOADER, loader, confidence);
        Optional<String> paths = text(reads, file);
        return new LibraryDirectories(
                reads,
                Map.of(),
                List.of(paths.map(text -> text.strip().split("[\\n:]"))
                        .orElseGet(() -> new String[] {"/lib", "/usr/local/lib", "/usr/lib"})));
    }

    private static LibraryDirectories glibc(Reads reads, String loader, int machine, double confidence)
            throws IOException {
        Map<String, String> cache = Map.of();
        Optional<ImageEntry.File> file = reads.files().file(CACHE);
        if (file.isPresent()) {
            reads.add(file.get(), ClosureReason.LOADER, loader, confidence);
            cache = reads.parse(file.get(), new LoaderCache(machine));
        }
        List<String> directories = new ArrayList<>();
        configured(reads, "/etc/ld.so.conf", directories, new int[] {MAX_INCLUDES});
        String triplet = TRIPLETS.getOrDefault(machine, "none");
        directories.addAll(
                List.of("/lib/" + triplet, "/usr/lib/" + triplet, "/lib64", "/usr/lib64", "/lib", "/usr/lib"));
        return new LibraryDirectories(reads, cache, directories);
    }

    /** The directories of a configuration file; {@code left} counts down, as files may include themselves. */
    private static void configured(Reads reads, String file, List<String> directories, int[] left) throws IOException {
        if (left[0]-- <= 0) {
            return;
        }
        for (String line : text(reads, file).orElse("").split("\n")) {
            String words = line.replaceFirst("#.*", "").strip();
            if (words.startsWith("include")) {
                for (String included :
                        glob(reads.files(), words.substring("include".length()).strip())) {
                    configured(reads, included, directories, left);
                }
            } else if (words.startsWith("/")) {
                directories.add(words);
            }
        }
    }

    private static List<String> glob(ImageFiles files, String pattern) {
        int slash = pattern.lastIndexOf('/');
        if (slash < 0) {
            return List.of();
        }
        String directory = pattern.substring(0, slash);
        Pattern names =
                Pattern.compile(Pattern.quote(pattern.substring(slash + 1)).replace("*", "\\E.*\\Q"));
        return files.directory(directory).stream()
                .flatMap(path -> files.names(path).stream())
                .filter(name -> names.matcher(name).matches())
                .map(name -> directory + "/" + name)
                .toList();
    }

    private static Optional<String> text(Reads reads, String path) throws IOException {
        Optional<ImageEntry.File> file = reads.files().file(path);
        return file.isPresent() ? reads.text(file.get()) : Optional.empty();
    }

    /** The library of this name. */
    Optional<ImageEntry.File> find(String name) {
        Optional<ImageEntry.File> cached = Optional.ofNullable(cache.get(name)).flatMap(reads.files()::file);
        if (cached.isPresent()) {
            return cached;
        }
        for (String directory : directories) {
            Optional<ImageEntry.File> file = reads.files().file(directory + "/" + name);
            if (file.isPresent()) {
                return file;
            }
        }
        return Optional.empty();
    }
}
