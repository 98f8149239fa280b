package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files that the operating system's package manager owns, its databases, and the files that its packages make when
 * installed.
 */
final class OsPackages {
    private static final List<String> SYSTEM = List.of(
            "bin",
            "sbin",
            "lib",
            "lib32",
            "lib64",
            "libx32",
            "etc",
            "usr/bin",
            "usr/sbin",
            "usr/lib",
            "usr/lib32",
            "usr/lib64",
            "usr/libexec",
            "usr/share",
            "usr/include");
    private static final List<String> GENERATED = List.of(
            "var/lib/dpkg",
            "var/lib/apt",
            "var/lib/pam",
            "var/lib/systemd",
            "var/lib/ucf",
            "var/cache/apt",
            "var/cache/debconf",
            "var/cache/ldconfig",
            "var/cache/apk",
            "var/log",
            "var/lib/apk",
            "lib/apk",
            "etc/apk",
            "etc/ssl/certs",
            "etc/alternatives",
            "etc/pam.d",
            "usr/lib/locale/locale-archive");
    private static final Set<String> GENERATED_ETC = Set.of(
            "passwd",
            "passwd-",
            "group",
            "group-",
            "shadow",
            "shadow-",
            "gshadow",
            "gshadow-",
            "subuid",
            "subuid-",
            "subgid",
            "subgid-",
            "shells",
            "hostname",
            "hosts",
            "resolv.conf",
            "timezone",
            "localtime",
            "environment",
            ".pwd.lock",
            "ld.so.cache",
            "nsswitch.conf",
            "profile",
            "motd",
            "fstab",
            "machine-id",
            "issue",
            "os-release");

    private OsPackages() {}

    private static void looseBase(RootFiles root) {
        GENERATED.forEach(path -> root.resolve(path).ifPresent(root::looseBase));
        GENERATED_ETC.forEach(name -> root.looseBase(new FilePath("etc/" + name)));
        root.filesBelow(new FilePath("usr")).stream()
                .filter(file ->
                        file.name().equals("gconv-modules.cache") || file.name().equals("loaders.cache"))
                .forEach(root::looseBase);
    }

    /** The real path of a file that a database lists: links followed in its directory, not the last component. */
    static Optional<FilePath> listed(RootFiles root, String listed) {
        int slash = listed.lastIndexOf('/');
        String name = listed.substring(slash + 1);
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return Optional.empty();
        }
        return root.resolve(slash < 0 ? "" : listed.substring(0, slash)).flatMap(directory -> {
            try {
                return Optional.of(directory.child(name));
            } catch (IllegalArgumentException e) {
                root.warn("a package database lists an invalid file name in " + directory);
                return Optional.empty();
            }
        });
    }

    private static void claimListed(RootFiles root, String listed) {
        listed(root, listed).ifPresent(file -> root.claim(file, Owner.BASE));
    }

    /** Debian's, with Google's distroless form of it. */
    static final class Dpkg implements Classifier.Rule {
        private static final FilePath DATABASE = new FilePath("var/lib/dpkg");

        @Override
        public void claim(RootFiles root) throws IOException {
            if (!root.isDirectory(DATABASE)) {
                return;
            }
            looseBase(root);
            boolean lists = false;
            for (FilePath file : root.filesBelow(DATABASE)) {
                FilePath directory = file.parent();
                if (directory.name().equals("info") && file.name().endsWith(".list")) {
                    lists = true;
                    root.bytesOf(file).ifPresent(text -> text.lines().forEach(line -> claimListed(root, line)));
                } else if (directory.name().equals("status.d") && file.name().endsWith(".md5sums")) {
                    lists = true;
                    root.bytesOf(file).ifPresent(text -> text.lines().forEach(line -> claimSum(root, line)));
                } else if (file.equals(DATABASE.child("diversions"))) {
                    root.bytesOf(file)
                            .ifPresent(text -> text.lines()
                                    .filter(line -> line.startsWith("/"))
                                    .forEach(line -> claimListed(root, line)));
                }
            }
            if (!lists) {
                root.warn("the dpkg database lists no files; the system directories count as base");
                SYSTEM.forEach(path -> root.resolve(path).ifPresent(root::looseBase));
            }
        }

        private static void claimSum(RootFiles root, String line) {
            int space = line.indexOf(' ');
            if (space > 0) {
                claimListed(root, line.substring(space).strip());
            }
        }
    }

    /** Alpine's. */
    static final class Apk implements Classifier.Rule {
        @Override
        public void claim(RootFiles root) throws IOException {
            for (String path : List.of("lib/apk/db/installed", "usr/lib/apk/db/installed")) {
                Optional<FilePath> file = root.resolve(path);
                Optional<String> database = file.isEmpty() ? Optional.empty() : root.bytesOf(file.get());
                if (database.isPresent()) {
                    looseBase(root);
                    claimListed(root, path);
                    String directory = "";
                    for (String line : database.get().split("\n")) {
                        if (line.startsWith("F:")) {
                            directory = line.substring(2);
                        } else if (line.startsWith("R:")) {
                            claimListed(root, directory + "/" + line.substring(2));
                        }
                    }
                }
            }
        }
    }

    /** Red Hat's, whose databases are not read: everything in the system's directories is the system's. */
    static final class Rpm implements Classifier.Rule {
        @Override
        public void claim(RootFiles root) {
            for (String path : List.of("var/lib/rpm", "usr/lib/sysimage/rpm")) {
                FilePath database = new FilePath(path);
                if (root.isDirectory(database) && !root.filesBelow(database).isEmpty()) {
                    root.warn("the rpm database " + database
                            + " is not supported; files in the system directories that no library owns count as base");
                    looseBase(root);
                    root.claimBelow(database, Owner.BASE);
                    SYSTEM.forEach(name -> root.resolve(name).ifPresent(root::looseBase));
                }
            }
        }
    }
}
