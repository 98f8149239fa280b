package io.faasimage.closure.language;

import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.Content;
import io.faasimage.closure.read.ContentParser;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.Invocation;
import io.faasimage.format.tree.FilePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A Java virtual machine of the OpenJDK's layout: its own files, and the archives and classes of the class path. */
public final class JavaRuntime implements LanguageRuntime {
    private static final double CERTAIN = 0.97;
    private static final double LIKELY = 0.8;
    private static final double POSSIBLE = 0.4;
    /** Files below the home directory that every start, most and some starts read. */
    private static final String ALWAYS = "lib/jvm.cfg lib/server/libjvm.so lib/server/classes.jsa lib/modules"
            + " lib/libjava.so lib/libjimage.so lib/libzip.so lib/rt.jar jre/lib/rt.jar";

    private static final String MOSTLY = "lib/libnio.so lib/libnet.so conf/security/java.security conf/net.properties"
            + " lib/amd64/server/libjvm.so jre/lib/amd64/server/libjvm.so lib/tzdb.dat";
    private static final String SOMETIMES = "lib/libextnet.so lib/libverify.so lib/libmanagement.so"
            + " lib/security/cacerts lib/security/default.policy conf/logging.properties";
    private static final Set<String> PATHS = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");
    private static final Set<String> WITH_VALUE = Set.of("--add-modules", "--add-opens", "--add-exports");
    private static final int MAX_CLASSES = 500;
    private static final int MAX_HEAD = 1 << 20;
    private static final int MAX_ENTRIES = 16;
    private static final int MAX_PATHS = 1000;
    private static final ContentParser<List<String>> CLASS_PATH = JavaRuntime::classPath;

    @Override
    public boolean runs(String name) {
        return name.equals("java");
    }

    @Override
    public void start(ProgramStart start) throws IOException {
        own(start, ALWAYS, CERTAIN);
        own(start, MOSTLY, LIKELY);
        own(start, SOMETIMES, POSSIBLE);
        new Run(start, start.command(), new HashSet<>()).run();
    }

    private static void own(ProgramStart start, String names, double factor) throws IOException {
        String home = "/" + start.program().path().parent().parent().raw();
        for (String name : names.split(" ")) {
            Optional<ImageEntry.File> file = start.files().file(home + "/" + name);
            double confidence = start.confidence() * factor;
            if (file.isPresent()
                    && start.reads().add(file.get(), start.program().name(), confidence)) {
                start.libraries().load(file.get(), confidence);
            }
        }
    }

    /** The names in {@code Class-Path} of an archive's manifest, which is among its first entries. */
    private static List<String> classPath(Content archive) throws IOException {
        byte[] head = archive.head(MAX_HEAD);
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(head))) {
            ZipEntry entry = zip.getNextEntry();
            for (int i = 0; i < MAX_ENTRIES && entry != null; i++) {
                if (entry.getName().equals("META-INF/MANIFEST.MF")) {
                    Manifest manifest = new Manifest(new ByteArrayInputStream(zip.readNBytes(MAX_HEAD)));
                    String path = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                    return path == null || path.isBlank()
                            ? List.of()
                            : Arrays.stream(path.strip().split("\\s+"))
                                    .limit(MAX_PATHS)
                                    .toList();
                }
                entry = zip.getNextEntry();
            }
        } catch (IOException | IllegalArgumentException e) {
            // The head of the archive, which is in memory, is damaged or ends in the middle of an entry.
            return List.of();
        }
        return List.of();
    }

    /** One start. */
    private record Run(ProgramStart start, Invocation command, Set<FilePath> followed) {
        void run() throws IOException {
            List<String> words = new ArrayList<>();
            for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
                words.addAll(Arrays.asList(command.variable(variable).strip().split("\\s+")));
            }
            words.addAll(command.arguments());
            String path = command.variable("CLASSPATH");
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                String next = i + 1 < words.size() ? words.get(i + 1) : "";
                if (word.startsWith("-javaagent:")) {
                    archive(word.substring(word.indexOf(':') + 1).replaceFirst("=.*", ""), CERTAIN);
                } else if (word.equals("-jar")) {
                    archive(next, CERTAIN);
                    return;
                } else if (PATHS.contains(word) || WITH_VALUE.contains(word)) {
                    path = PATHS.contains(word) ? next : path;
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
            Optional<FilePath> directory = start.files().directory(command.absolute(place));
            if (directory.isEmpty()) {
                archive(entry, LIKELY);
            } else if (entry.endsWith("/*")) {
                for (String name : start.files().names(directory.get())) {
                    if (name.endsWith(".jar")) {
                        archive(place + "/" + name, LIKELY);
                    }
                }
            } else {
                classes(directory.get(), MAX_CLASSES);
            }
        }

        /** The classes in a directory are usually the function's own, and few; returns how many more may be added. */
        private int classes(FilePath directory, int most) {
            int left = most;
            for (String name : start.files().names(directory)) {
                String path = "/" + directory.raw() + "/" + name;
                Optional<FilePath> below = start.files().directory(path);
                if (left-- <= 0) {
                    return 0;
                } else if (below.isPresent() && below.get().isAtOrBelow(directory)) {
                    left = classes(below.get(), left);
                } else if (name.endsWith(".class")) {
                    start.add(path, POSSIBLE);
                }
            }
            return left;
        }

        private void archive(String name, double factor) throws IOException {
            Optional<ImageEntry.File> file = start.files().file(command.absolute(name));
            if (file.isEmpty() || !followed.add(file.get().path())) {
                return;
            }
            start.add(file.get().name(), factor);
            for (String other : start.reads().parse(file.get(), CLASS_PATH)) {
                String path = other.startsWith("/") ? other : file.get().directory() + "/" + other;
                start.reads().follow(() -> archive(path, factor));
            }
        }
    }
}
