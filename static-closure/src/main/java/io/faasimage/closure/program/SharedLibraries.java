package io.faasimage.closure.program;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.Reads;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dynamic loader of one process: the libraries that programs, and libraries loaded while they run, need. Libraries
 * are searched in the directories of {@code DT_RPATH} (unless there is a {@code DT_RUNPATH}), of {@code
 * LD_LIBRARY_PATH}, of {@code DT_RUNPATH}, and then in those of the system; one that is loaded already serves all that
 * need its name. The search is breadth first. For one thread.
 *
 * @see <a href="https://man7.org/linux/man-pages/man8/ld.so.8.html">ld.so(8)</a>
 */
public final class SharedLibraries {
    private static final int MAX_LIBRARIES = 4096;
    private static final double LIKELY = 0.8;

    private final Reads reads;
    private final Map<FilePath, Optional<ElfFile>> parsed = new HashMap<>();
    private final Map<String, ImageEntry.File> loaded = new HashMap<>();
    private final String searchPath;
    private List<String> programPath = List.of();
    private Optional<LibraryDirectories> directories = Optional.empty();

    /** One object with the directories that those it needs are searched in, its own and inherited ones. */
    private record Loading(ImageEntry.File file, List<String> inherited) {}

    /** The loader of one process, with the value of {@code LD_LIBRARY_PATH}. */
    SharedLibraries(Reads reads, String searchPath) {
        this.reads = reads;
        this.searchPath = searchPath;
    }

    /** Adds the loader of a program and all libraries that it needs; the program itself is the caller's. */
    void start(ImageEntry.File program, double confidence) throws IOException {
        Optional<ElfFile> elf = parse(program);
        String interpreter = elf.map(ElfFile::interpreter).orElse("");
        if (elf.isEmpty() || interpreter.isEmpty()) {
            return;
        }
        Optional<ImageEntry.File> loader = reads.files().file(interpreter);
        if (loader.isEmpty()) {
            reads.note(program.path() + " needs the dynamic loader " + interpreter + ", which the image does not have");
            return;
        }
        reads.add(loader.get(), program.name(), confidence);
        loaded.put(interpreter.substring(interpreter.lastIndexOf('/') + 1), loader.get());
        reads.add("/etc/ld.so.preload", program.name(), confidence);
        directories =
                Optional.of(new LibraryDirectories(reads, interpreter, elf.get().machine(), confidence));
        programPath = expand(elf.get().rpath(), program);
        load(program, confidence);
    }

    /** Adds all libraries that an object needs which the process loads; the object itself is the caller's. */
    public void load(ImageEntry.File object, double confidence) throws IOException {
        Optional<ElfFile> elf = parse(object);
        if (directories.isEmpty() && elf.isPresent()) {
            directories = Optional.of(
                    new LibraryDirectories(reads, "/ld.so", elf.get().machine(), confidence));
        }
        Deque<Loading> todo = new ArrayDeque<>(List.of(new Loading(object, programPath)));
        for (int done = 0; done < MAX_LIBRARIES && !todo.isEmpty(); done++) {
            needed(todo.poll(), confidence, todo);
        }
    }

    private void needed(Loading object, double confidence, Deque<Loading> todo) throws IOException {
        Optional<ElfFile> content = parse(object.file);
        if (content.isEmpty()) {
            return;
        }
        ElfFile elf = content.get();
        loaded.putIfAbsent(elf.soname(), object.file);
        Set<String> inherited = new LinkedHashSet<>(expand(elf.rpath(), object.file));
        inherited.addAll(object.inherited);
        for (String name : elf.needed()) {
            Optional<ImageEntry.File> library = find(name, elf, object.file, inherited);
            if (library.isPresent()) {
                loaded.putIfAbsent(name, library.get());
                if (reads.add(library.get(), object.file.name(), confidence)) {
                    settings(name, library.get(), confidence);
                    todo.add(new Loading(library.get(), List.copyOf(inherited)));
                }
            }
        }
    }

    /** The files that libraries read when they are first used. */
    private void settings(String name, ImageEntry.File library, double confidence) {
        if (name.startsWith("libcrypto.so")) {
            for (String file :
                    List.of("/usr/lib/ssl/openssl.cnf", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf")) {
                reads.add(file, library.name(), confidence * LIKELY);
            }
        }
    }

    private Optional<ImageEntry.File> find(String name, ElfFile elf, ImageEntry.File by, Set<String> inherited)
            throws IOException {
        if (name.contains("/")) {
            return reads.files().file(name);
        }
        if (loaded.containsKey(name)) {
            return Optional.ofNullable(loaded.get(name));
        }
        List<String> places = new ArrayList<>(elf.runpath().isEmpty() ? inherited : List.of());
        places.addAll(expand(searchPath, by));
        places.addAll(expand(elf.runpath(), by));
        for (String directory : places) {
            Optional<ImageEntry.File> file = reads.files().file(directory + "/" + name);
            if (file.isPresent()
                    && parse(file.get())
                            .filter(it -> it.machine() == elf.machine())
                            .isPresent()) {
                return file;
            }
        }
        return directories.flatMap(d -> d.find(name));
    }

    private static List<String> expand(String paths, ImageEntry.File origin) {
        return Arrays.stream(paths.split(":"))
                .filter(path -> !path.isEmpty())
                .map(path -> path.replace("$ORIGIN", origin.directory())
                        .replace("${ORIGIN}", origin.directory())
                        .replace("$LIB", "lib"))
                .toList();
    }

    private Optional<ElfFile> parse(ImageEntry.File file) throws IOException {
        Optional<ElfFile> known = parsed.get(file.path());
        if (known == null) {
            known = reads.parse(file, ElfFile.PARSER);
            parsed.put(file.path(), known);
        }
        return known;
    }
}
