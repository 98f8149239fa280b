package io.faasimage.refactor.closure.command;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import java.util.List;
import java.util.Optional;

/** The files of glibc's locale that a program reads which sets it, or all its categories, from its environment. */
final class Locales {
    private static final String DIRECTORY = "/usr/lib/locale";
    private static final List<String> VARIABLES = List.of("LC_ALL", "LC_CTYPE", "LANG");
    private static final double LIKELY = 0.7;
    /** Most programs set the one category that says how characters are encoded. */
    private static final double ALL_CATEGORIES = 0.3;

    private final Reads reads;

    Locales(Reads reads) {
        this.reads = reads;
    }

    void start(Invocation command) {
        Optional<String> locale = VARIABLES.stream()
                .map(command::variable)
                .filter(value -> !value.isEmpty())
                .findFirst();
        if (locale.isEmpty() || locale.get().equals("C") || locale.get().equals("POSIX")) {
            return;
        }
        double confidence = command.confidence() * LIKELY;
        if (reads.files().file(DIRECTORY + "/locale-archive").isPresent()) {
            reads.add(DIRECTORY + "/locale-archive", ClosureReason.CONFIGURATION, command.by(), confidence);
            return;
        }
        String name = locale.get();
        for (String variant : List.of(name, name.replace(".UTF-8", ".utf8"))) {
            Optional<FilePath> directory = reads.files().directory(DIRECTORY + "/" + variant.replace("/", ""));
            if (directory.isPresent()) {
                String place = "/" + directory.get().raw();
                reads.add(place + "/LC_CTYPE", ClosureReason.CONFIGURATION, command.by(), confidence);
                double others = confidence * ALL_CATEGORIES;
                for (String category : reads.files().names(directory.get())) {
                    reads.add(place + "/" + category, ClosureReason.CONFIGURATION, command.by(), others);
                }
                reads.add(place + "/LC_MESSAGES/SYS_LC_MESSAGES", ClosureReason.CONFIGURATION, command.by(), others);
                reads.files().directory("/usr/lib").map(reads.files()::names).orElse(List.of()).stream()
                        .filter(triplet -> triplet.contains("-linux-"))
                        .forEach(triplet -> reads.add(
                                "/usr/lib/" + triplet + "/gconv/gconv-modules.cache",
                                ClosureReason.CONFIGURATION,
                                command.by(),
                                confidence));
                return;
            }
        }
    }
}
