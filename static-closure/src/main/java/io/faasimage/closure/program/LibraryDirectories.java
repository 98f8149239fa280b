package io.faasimage.closure.program;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directories in which a dynamic loader looks for libraries that no path in an ELF file leads to: for glibc those
 * of {@code /etc/ld.so.conf}, from which its cache is made, and the default ones; for musl those of {@code
 * /etc/ld-musl-*.path}.
 */
final class LibraryDirectories {
    private static final Map<Integer, String> TRIPLETS =
            Map.of(62, "x86_64-linux-gnu", 183, "aarch64-linux-gnu", 243, "riscv64-linux-gnu");
    private static final int MAX_INCLUDES = 64;

    private final Reads reads;
    private final List<String> directories = new ArrayList<>();
    private int includes;

    /** Those of a program with this loader; adds the files that the loader itself reads. */
    LibraryDirectories(Reads reads, String loader, int machine, double confidence) throws IOException {
        this.reads = reads;
        if (loader.contains("/ld-musl-")) {
            String name = loader.substring(loader.lastIndexOf('/') + 1);
            String file = "/etc/" + name.substring(0, Math.max(0, name.lastIndexOf(".so"))) + ".path";
            reads.add(file, loader, confidence);
            String paths = text(file).strip();
            directories.addAll(
                    Arrays.asList((paths.isEmpty() ? "/lib:/usr/local/lib:/usr/lib" : paths).split("[\\n:]")));
        } else {
            reads.add("/etc/ld.so.cache", loader, confidence);
            addConfigured("/etc/ld.so.conf");
            String triplet = TRIPLETS.getOrDefault(machine, "none");
            directories.addAll(
                    List.of("/lib/" + triplet, "/usr/lib/" + triplet, "/lib64", "/usr/lib64", "/lib", "/usr/lib"));
        }
    }

    /** Adds the directories of a configuration file; files may include themselves. */
    private void addConfigured(String file) throws IOException {
        if (includes++ >= MAX_INCLUDES) {
            return;
        }
        for (String line : text(file).split("\n")) {
            int comment = line.indexOf('#');
            String words = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (words.startsWith("include")) {
                addIncluded(words.substring("include".length()).strip());
            } else if (words.startsWith("/")) {
                directories.add(words);
            }
        }
    }

    /** Follows a pattern with one star at most in the names of files. */
    private void addIncluded(String pattern) throws IOException {
        String directory = pattern.substring(0, Math.max(0, pattern.lastIndexOf('/')));
        String wanted = pattern.substring(pattern.lastIndexOf('/') + 1);
        int star = wanted.indexOf('*');
        for (String name : reads.files().names(directory)) {
            if (star < 0
                    ? name.equals(wanted)
                    : name.startsWith(wanted.substring(0, star)) && name.endsWith(wanted.substring(star + 1))) {
                addConfigured(directory + "/" + name);
            }
        }
    }

    private String text(String path) throws IOException {
        Optional<ImageEntry.File> file = reads.files().file(path);
        return file.isPresent() ? reads.text(file.get()) : "";
    }

    /** The library of this name. */
    Optional<ImageEntry.File> find(String name) {
        return reads.files().first(directories.stream().map(directory -> directory + "/" + name));
    }
}
