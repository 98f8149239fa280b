package io.faasimage.closure.program;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.closure.read.Reads;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The files that libraries of the system read for a program, whatever its language, and a program's own data. */
public final class SystemFiles {
    /** For a program that looks up users, hosts or the time. */
    private static final List<String> ACCOUNTS_AND_TIME = List.of(
            "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/etc/protocols", "/etc/services");

    private static final double OF_ANY_PROGRAM = 0.3;
    private static final double LIKELY = 0.7;
    /** Most programs set the one category that defines the encoding of characters. */
    private static final double OTHER_CATEGORIES = 0.3;

    private static final String LOCALES = "/usr/lib/locale/";
    private static final String FONTS = "/etc/fonts/";
    /** Resources, tables and snapshots that lie beside a program, as those of browsers and converters do. */
    private static final Set<String> DATA = Set.of("pak", "dat", "bin");

    private final Reads reads;
    private final ImageFiles files;

    /** Adds to these reads. */
    public SystemFiles(Reads reads) {
        this.reads = reads;
        this.files = reads.files();
    }

    /** Adds the reads of the programs and libraries found by now. */
    public void add() {
        ACCOUNTS_AND_TIME.forEach(file -> reads.add(file, "", OF_ANY_PROGRAM));
        double fonts = reads.found().stream()
                .filter(file -> file.path().name().startsWith("libfontconfig.so"))
                .mapToDouble(file -> file.confidence() * LIKELY)
                .max()
                .orElse(0);
        Stream.concat(
                        Stream.of("fonts.conf"),
                        files.names(FONTS + "conf.d").stream().map(name -> "conf.d/" + name))
                .filter(name -> name.endsWith(".conf"))
                .forEach(name -> reads.add(FONTS + name, "libfontconfig", fonts));
    }

    /** Adds the data beside a program that has a directory of its own. */
    void beside(ImageEntry.File program, double confidence) {
        String directory = program.directory();
        if (!directory.endsWith("bin")) {
            files.names(directory).stream()
                    .filter(name -> DATA.contains(name.substring(name.lastIndexOf('.') + 1)))
                    .forEach(name -> reads.add(directory + "/" + name, program.name(), confidence * LIKELY));
        }
    }

    /** Adds glibc's files of the locale that a program sets from its environment. */
    void locale(Invocation command) {
        Optional<String> name = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(command::variable)
                .filter(value -> !value.isEmpty())
                .findFirst();
        if (name.isEmpty() || Set.of("C", "POSIX").contains(name.get())) {
            return;
        }
        double confidence = command.confidence() * LIKELY;
        reads.add(LOCALES + "locale-archive", command.by(), confidence);
        for (String variant : List.of(name.get(), name.get().replace(".UTF-8", ".utf8"))) {
            String place = LOCALES + variant.replace("/", "") + "/";
            reads.add(place + "LC_CTYPE", command.by(), confidence);
            for (String category : files.names(place)) {
                reads.add(place + category, command.by(), confidence * OTHER_CATEGORIES);
            }
            reads.add(place + "LC_MESSAGES/SYS_LC_MESSAGES", command.by(), confidence * OTHER_CATEGORIES);
        }
        files.names("/usr/lib").stream()
                .filter(triplet -> triplet.contains("-linux-"))
                .forEach(triplet ->
                        reads.add("/usr/lib/" + triplet + "/gconv/gconv-modules.cache", command.by(), confidence));
    }
}
