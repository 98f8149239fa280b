package io.faasimage.gate;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A node's directory with a root file system on it: stubs, the store's layers and the gate in one overlay. */
final class RootFs {
    private final Path node;
    private final Path meta;
    private int mounts;

    /** Makes a stub per file, of the content's size. */
    RootFs(Path node, Map<String, Digest> files, long size) throws IOException {
        this.node = node;
        this.meta = Files.createDirectories(node.resolve("meta"));
        for (Map.Entry<String, Digest> file : files.entrySet()) {
            Path stub = meta.resolve(file.getKey());
            try (RandomAccessFile sparse = new RandomAccessFile(stub.toFile(), "rw")) {
                sparse.setLength(size);
            }
            Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwxr-xr-x"));
            byte[] name = bytes(stub.toString());
            ExtendedAttributes.set(name, "trusted.overlay.metacopy", new byte[0]);
            byte[] redirect = bytes("/" + file.getValue().objectPath());
            ExtendedAttributes.set(name, "trusted.overlay.redirect", redirect);
        }
    }

    /** Mounts an overlay over the stubs as they are. */
    Path mount() throws IOException {
        return mount(meta);
    }

    /** Mounts an overlay over the stubs in an EROFS image of them. */
    Path mountErofs() throws IOException, InterruptedException {
        Path image = node.resolve("meta.erofs");
        int code = new ProcessBuilder("mkfs.erofs", image.toString(), meta.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("mkfs.erofs ended with " + code + "; install erofs-utils");
        }
        Path mounted = Files.createDirectories(node.resolve("meta-erofs"));
        Mounts.mount(image.toString(), mounted, "erofs", Mounts.RDONLY, "");
        return mount(mounted);
    }

    private Path mount(Path stubs) throws IOException {
        mounts++;
        Path target = Files.createDirectories(node.resolve("root" + mounts));
        Path upper = Files.createDirectories(node.resolve("upper" + mounts));
        Path work = Files.createDirectories(node.resolve("work" + mounts));
        String layers = String.join(
                "::",
                List.of(
                        stubs.toString(),
                        node.resolve("objects").toString(),
                        node.resolve("gate/fetch").toString(),
                        node.resolve("late").toString(),
                        node.resolve("gate/verdict").toString()));
        String options =
                "lowerdir=" + layers + ",upperdir=" + upper + ",workdir=" + work + ",metacopy=on,redirect_dir=on";
        Mounts.mount("overlay", target, "overlay", 0, options);
        return target;
    }

    /** Takes everything below {@code node} out of the mount table. */
    static void unmountAll(Path node) throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(node)) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
