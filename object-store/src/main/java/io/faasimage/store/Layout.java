package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The directories below a store's root, and their permissions. */
final class Layout {
    /** Directories are their owner's alone: ordinary users of the machine cannot reach any object. */
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    static final int SHARDS = 256;

    private static final int SHARD_CHARS = 2;

    final Path root;
    final Path objects;
    final Path late;
    final Path incoming;
    final Path suspect;
    final Path marker;
    final Path recoveryLock;

    Layout(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.objects = this.root.resolve("objects");
        this.late = this.root.resolve("late");
        this.incoming = this.root.resolve("incoming");
        this.suspect = this.root.resolve("suspect");
        this.marker = this.root.resolve("checkpoint");
        this.recoveryLock = this.root.resolve("recovery.lock");
    }

    Path object(Digest digest) {
        return objects.resolve(digest.objectPath());
    }

    Path late(Digest digest) {
        return late.resolve(digest.objectPath());
    }

    /** Where an object waits to be verified after a crash of the machine. */
    Path suspect(Digest digest) {
        return suspect.resolve(digest.hex());
    }

    /** The object's name in {@code incoming/}, from before it is visible until it is known to be on the disk. */
    static String unsyncedName(Digest digest, long number) {
        return digest.hex() + "." + number;
    }

    /** The digest in such a name; empty for a half-written file. */
    static Optional<Digest> unsyncedDigest(Path entry) {
        String name = String.valueOf(entry.getFileName());
        int dot = name.indexOf('.');
        return dot < 0 ? Optional.empty() : digest(name.substring(0, dot));
    }

    /** The digest that a file is named by, all in one name. */
    static Optional<Digest> flatDigest(Path file) {
        return digest(String.valueOf(file.getFileName()));
    }

    static String shard(int index) {
        return HexFormat.of().toHexDigits((byte) index);
    }

    /** Makes every directory ahead, so that publishing never has to. */
    void create() throws IOException {
        if (!Files.isDirectory(root)) {
            Files.createDirectories(root, DIRECTORY);
        }
        mkdir(incoming);
        mkdir(suspect);
        for (Path area : new Path[] {objects, late}) {
            mkdir(area);
            if (count(area) < SHARDS) {
                for (int i = 0; i < SHARDS; i++) {
                    mkdir(area.resolve(shard(i)));
                }
            }
        }
    }

    /** Makes one directory unless it is there. */
    static void mkdir(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, DIRECTORY);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** The directories with the objects. */
    List<Path> shards() {
        return shards(objects);
    }

    static List<Path> shards(Path area) {
        return IntStream.range(0, SHARDS)
                .mapToObj(index -> area.resolve(shard(index)))
                .toList();
    }

    /** The directories that objects are written in, one for each process. */
    List<Path> writers() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(incoming, Files::isDirectory)) {
            entries.forEach(found::add);
        }
        return found;
    }

    /** The digest that a file below a shard is named by; empty when the file is no object. */
    static Optional<Digest> digestOf(Path file) {
        // All digits elsewhere between the two names would be another path of the same object.
        if (file.getNameCount() < 2
                || file.getName(file.getNameCount() - 2).toString().length() != SHARD_CHARS) {
            return Optional.empty();
        }
        Path shard = file.getParent();
        return digest((shard == null ? "" : String.valueOf(shard.getFileName())) + file.getFileName());
    }

    private static Optional<Digest> digest(String hex) {
        try {
            return Optional.of(new Digest(hex));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static int count(Path directory) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path _ : entries) {
                count++;
            }
        }
        return count;
    }
}
