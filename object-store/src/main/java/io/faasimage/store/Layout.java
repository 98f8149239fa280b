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
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** Where things lie below a store's root, and with which permissions. */
final class Layout {
    /** Directories are their owner's alone: ordinary users of the machine cannot reach any object. */
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int SHARDS = 256;

    final Path root;
    final Path objects;
    final Path late;
    final Path incoming;
    final Path marker;
    final Path recoveryLock;

    Layout(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.objects = this.root.resolve("objects");
        this.late = this.root.resolve("late");
        this.incoming = this.root.resolve("incoming");
        this.marker = this.root.resolve("checkpoint");
        this.recoveryLock = this.root.resolve("recovery.lock");
    }

    Path object(Digest digest) {
        return objects.resolve(digest.objectPath());
    }

    Path late(Digest digest) {
        return late.resolve(digest.objectPath());
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
        return IntStream.range(0, SHARDS)
                .mapToObj(index -> objects.resolve(shard(index)))
                .toList();
    }

    /** The digest that a file below a shard is named by; empty for what is no object. */
    static Optional<Digest> digestOf(Path file) {
        Path shard = file.getParent();
        String hex = (shard == null ? "" : String.valueOf(shard.getFileName())) + file.getFileName();
        try {
            return Optional.of(new Digest(hex));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A random name of this directory, made when it has none. */
    String identity(String writer) throws IOException {
        Path file = root.resolve("identity");
        if (!Files.exists(file)) {
            Path temp = root.resolve("identity." + writer);
            Files.writeString(temp, UUID.randomUUID().toString());
            try {
                // A link never replaces the name that another process gave at the same time.
                Files.createLink(file, temp);
            } catch (FileAlreadyExistsException e) {
                return Files.readString(file);
            } finally {
                Files.deleteIfExists(temp);
            }
        }
        return Files.readString(file);
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
