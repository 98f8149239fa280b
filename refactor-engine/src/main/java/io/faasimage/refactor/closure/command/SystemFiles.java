package io.faasimage.refactor.closure.command;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureFile;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Reads;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** The files that libraries of the system read for a program, whatever its language, and a program's own data. */
public final class SystemFiles {
    /** For a program that looks up users, hosts or the time. */
    private static final List<String> ACCOUNTS_AND_TIME = List.of(
            "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/etc/protocols", "/etc/services");

    private static final double OF_ANY_PROGRAM = 0.3;
    private static final String FONTS = "/etc/fonts";
    private static final double INITIALISED = 0.7;
    /** Resources, tables and snapshots that lie beside a program, as those of browsers and converters do. */
    private static final Set<String> DATA = Set.of("pak", "dat", "bin");

    private final Reads reads;

    /** Adds to these reads. */
    public SystemFiles(Reads reads) {
        this.reads = reads;
    }

    /** Adds what programs and libraries that are found by now read. */
    public void add() {
        for (String file : ACCOUNTS_AND_TIME) {
            reads.add(file, ClosureReason.CONFIGURATION, "", OF_ANY_PROGRAM);
        }
        OptionalDouble fonts = reads.found().stream()
                .filter(file -> file.path().name().startsWith("libfontconfig.so"))
                .mapToDouble(ClosureFile::confidence)
                .max();
        if (fonts.isPresent()) {
            fonts(fonts.getAsDouble() * INITIALISED);
        }
    }

    private void fonts(double confidence) {
        reads.add(FONTS + "/fonts.conf", ClosureReason.CONFIGURATION, "libfontconfig", confidence);
        String more = FONTS + "/conf.d";
        reads.files().directory(more).map(reads.files()::names).orElse(List.of()).stream()
                .filter(name -> name.endsWith(".conf"))
                .forEach(
                        name -> reads.add(more + "/" + name, ClosureReason.CONFIGURATION, "libfontconfig", confidence));
    }

    /** Adds the data beside a program that has a directory of its own. */
    void beside(ImageEntry.File program, double confidence) {
        String directory = program.directory();
        if (directory.endsWith("bin")) {
            return;
        }
        reads.files().directory(directory).map(reads.files()::names).orElse(List.of()).stream()
                .filter(name -> DATA.contains(name.substring(name.lastIndexOf('.') + 1)))
                .forEach(name -> reads.add(
                        directory + "/" + name, ClosureReason.DATA, program.name(), confidence * INITIALISED));
    }
}
