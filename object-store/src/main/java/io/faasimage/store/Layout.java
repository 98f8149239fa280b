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
import java.util.Set;

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
