package io.faasimage.refactor.closure.jvm;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Java virtual machine of the OpenJDK's layout: its own files, and the archives and classes of the class path. */
public final class JavaRuntime implements LanguageRuntime {
    private static final double CERTAIN = 0.97;
    private static final double LIKELY = 0.8;
    private static final double POSSIBLE = 0.4;
    /** Files below the home directory that every start, most and some starts read. */
    private static final Map<String, Double> OWN = own();

    private static final Set<String> PATHS = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--add-modules",
            "--add-opens",
            "--add-exports");
    private static final int MAX_CLASSES = 500;

    private final Reads reads;

    /** Adds to these reads. */
    public JavaRuntime(Reads reads) {
        this.reads = reads;
    }

    private static Map<String, Double> own() {
        Map<String, Double> files = new LinkedHashMap<>();
        for (String name : List.of(
                "lib/jvm.cfg",
                "lib/server/libjvm.so",
                "lib/server/classes.jsa",
                "lib/modules",
                "lib/libjava.so",
                "lib/libjimage.so",
                "lib/libzip.so",
                "lib/rt.jar",
                "jre/lib/rt.jar")) {
            files.put(name, CERTAIN);
        }
        for (String name : List.of(
                "lib/libnio.so",
                "lib/libnet.so",
                "conf/security/java.security",
                "conf/net.properties",
                "lib/amd64/server/libjvm.so",
                "jre/lib/amd64/server/libjvm.so",
                "lib/tzdb.dat")) {
            files.put(name, LIKELY);
        }
        for (String name : List.of(
                "lib/libextnet.so",
                "lib/libverify.so",
                "lib/libmanagement.so",
                "lib/security/cacerts",
                "lib/security/default.policy",
                "conf/logging.properties")) {
            files.put(name, POSSIBLE);
        }
        return files;
    }

    @Override
    public boolean runs(String name) {
        return name.equals("java");
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        String home = "/" + program.path().parent().parent().raw();
        for (Map.Entry<String, Double> entry : OWN.entrySet()) {
            Optional<ImageEntry.File> file = reads.files().file(home + "/" + entry.getKey());
            double confidence = command.confidence() * entry.getValue();
            if (file.isPresent() && reads.add(file.get(), ClosureReason.RUNTIME, program.name(), confidence)) {
                libraries.load(file.get(), confidence);
            }
        }
        new ClassPath(program, command).start();
    }

    /** What one command runs. */
    private final class ClassPath {
        private final ImageEntry.File program;
        private final Invocation command;
        private final Set<FilePath> followed = new HashSet<>();

        ClassPath(ImageEntry.File program, Invocation command) {
            this.program = program;
            this.command = command;
        }

        void start() throws IOException {
            List<String> words = new ArrayList<>();
            for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
                words.addAll(Arrays.asList(command.variable(variable).strip().split("\\s+")));
            }
            words.addAll(command.arguments());
            String path = command.variable("CLASSPATH");
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                boolean hasNext = i + 1 < words.size();
                if (word.startsWith("-javaagent:")) {
                    archive(word.substring("-javaagent:".length()).replaceFirst("=.*", ""), CERTAIN);
                } else if (word.equals("-jar") && hasNext) {
                    archive(words.get(i + 1), CERTAIN);
                    return;
                } else if (WITH_VALUE.contains(word) && hasNext) {
                    path = PATHS.contains(word) ? words.get(i + 1) : path;
                    i++;
                } else if (!word.isEmpty() && !word.startsWith("-") && !word.startsWith("@")) {
                    break;
                }
            }
            for (String entry : (path.isEmpty() ? "." : path).split(":")) {
                entry(entry);
            }
        }

        private void entry(String entry) throws IOException {
            String place = entry.endsWith("/*") ? entry.substring(0, entry.length() - 2) : entry;
            Optional<FilePath> directory = reads.files().directory(command.absolute(place));
            if (directory.isEmpty()) {
                archive(entry, LIKELY);
            } else if (entry.endsWith("/*")) {
                for (String name : reads.files().names(directory.get())) {
                    if (name.endsWith(".jar")) {
                        archive(place + "/" + name, LIKELY);
                    }
                }
            } else {
                classes(directory.get(), new int[] {MAX_CLASSES});
            }
        }

        /** The classes in a directory are usually the function's own, and few. */
        private void classes(FilePath directory, int[] left) {
            for (String name : reads.files().names(directory)) {
                String path = "/" + directory.raw() + "/" + name;
                Optional<FilePath> below = reads.files().directory(path);
                if (left[0]-- <= 0) {
                    return;
                } else if (below.isPresent() && below.get().isAtOrBelow(directory)) {
                    classes(below.get(), left);
                } else if (name.endsWith(".class")) {
                    reads.add(path, ClosureReason.MODULE, program.name(), command.confidence() * POSSIBLE);
                }
            }
        }

        private void archive(String name, double factor) throws IOException {
            Optional<ImageEntry.File> file = reads.files().file(command.absolute(name));
            if (file.isEmpty() || !followed.add(file.get().path())) {
                return;
            }
            reads.add(file.get(), ClosureReason.MODULE, program.name(), command.confidence() * factor);
            for (String other : reads.parse(file.get(), JarManifest.CLASS_PATH)) {
                archive(other.startsWith("/") ? other : file.get().directory() + "/" + other, factor);
            }
        }
    }
}
