package io.faasimage.refactor.closure.elf;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    public SharedLibraries(Reads reads, String searchPath) {
        this.reads = reads;
        this.searchPath = searchPath;
    }

    /** Adds the loader of a program and all libraries that it needs; the program itself is the caller's. */
    public void start(ImageEntry.File program, double confidence) throws IOException {
        Optional<ElfFile> elf = parse(program);
        if (elf.isEmpty() || elf.get().interpreter().isEmpty()) {
            return;
        }
        String interpreter = elf.get().interpreter().get();
        Optional<ImageEntry.File> loader = reads.files().file(interpreter);
        if (loader.isEmpty()) {
            reads.note(program.path() + " needs the dynamic loader " + interpreter + ", which the image does not have");
            return;
        }
        reads.add(loader.get(), ClosureReason.LOADER, program.name(), confidence);
        loaded.put(interpreter.substring(interpreter.lastIndexOf('/') + 1), loader.get());
        reads.add("/etc/ld.so.preload", ClosureReason.LOADER, program.name(), confidence);
        directories =
                Optional.of(LibraryDirectories.of(reads, interpreter, elf.get().machine(), confidence));
        programPath = expand(elf.get().rpath(), program);
        load(program, confidence);
    }

    /** Adds all libraries that an object needs which the process loads; the object itself is the caller's. */
    public void load(ImageEntry.File object, double confidence) throws IOException {
        if (directories.isEmpty()) {
            Optional<ElfFile> elf = parse(object);
            if (elf.isEmpty()) {
                return;
            }
            directories =
                    Optional.of(LibraryDirectories.of(reads, "/ld.so", elf.get().machine(), confidence));
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
        elf.soname().ifPresent(name -> loaded.putIfAbsent(name, object.file));
        List<String> own = expand(elf.rpath(), object.file);
        List<String> inherited = new ArrayList<>(own);
        object.inherited.stream().filter(directory -> !own.contains(directory)).forEach(inherited::add);
        for (String name : elf.needed()) {
            Optional<ImageEntry.File> library = find(name, elf, object.file, inherited);
            if (library.isPresent()) {
                loaded.putIfAbsent(name, library.get());
                if (reads.add(library.get(), ClosureReason.LIBRARY, object.file.name(), confidence)) {
                    settings(name, library.get(), confidence);
                    todo.add(new Loading(library.get(), inherited));
                }
            }
        }
    }

    /** The files that libraries read when they are first used. */
    private void settings(String name, ImageEntry.File library, double confidence) {
        if (name.startsWith("libcrypto.so")) {
            for (String file :
                    List.of("/usr/lib/ssl/openssl.cnf", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf")) {
                reads.add(file, ClosureReason.CONFIGURATION, library.name(), confidence * LIKELY);
            }
        }
    }

    private Optional<ImageEntry.File> find(String name, ElfFile elf, ImageEntry.File by, List<String> inherited)
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
            if (file.isPresent() && isElfOf(file.get(), elf.machine())) {
                return file;
            }
        }
        return directories.flatMap(d -> d.find(name));
    }

    private boolean isElfOf(ImageEntry.File file, int machine) throws IOException {
        return parse(file).filter(elf -> elf.machine() == machine).isPresent();
    }

    private static List<String> expand(String paths, ImageEntry.File origin) {
        if (paths.isEmpty()) {
            return List.of();
        }
        List<String> directories = new ArrayList<>();
        for (String path : paths.split(":", -1)) {
            if (!path.isEmpty()) {
                directories.add(path.replace("$ORIGIN", origin.directory())
                        .replace("${ORIGIN}", origin.directory())
                        .replace("$LIB", "lib"));
            }
        }
        return directories;
    }

    private Optional<ElfFile> parse(ImageEntry.File file) throws IOException {
        Optional<ElfFile> known = parsed.get(file.path());
        if (known == null) {
            known = reads.parse(file, ElfReader.PARSER);
            parsed.put(file.path(), known);
        }
        return known;
    }
}
