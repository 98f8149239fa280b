package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.Mounts;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Planned root file systems in directories: the metadata image is a directory of stubs, the objects lie beside it.
 */
final class OverlayPlans extends FakePlans implements AutoCloseable {
    private final Path directory;
    private final List<Path> nested = new ArrayList<>();
    /** Whether a plain directory is below every container, as when the gate shows root file systems. */
    boolean shownByGate;
    /** A further data layer below containers; empty when there is none. */
    Optional<Path> gate = Optional.empty();

    OverlayPlans(Path directory) {
        this.directory = directory;
    }

    /** Plans {@code chain} as a root file system of these files. */
    void plan(ChainId chain, Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Digest digest = Digest.of(file.getValue());
            Path object = objects().resolve(digest.objectPath());
            Files.createDirectories(object.getParent());
            Files.write(object, file.getValue());
            Path stub = metadata(chain).resolve(file.getKey());
            Files.createDirectories(stub.getParent());
            try (RandomAccessFile sized = new RandomAccessFile(stub.toFile(), "rw")) {
                sized.setLength(file.getValue().length);
            }
            byte[] path = stub.toString().getBytes(StandardCharsets.UTF_8);
            ExtendedAttributes.set(path, "trusted.overlay.metacopy", new byte[0]);
            ExtendedAttributes.set(
                    path, "trusted.overlay.redirect", ("/" + digest.objectPath()).getBytes(StandardCharsets.UTF_8));
        }
        planned.add(chain);
    }

    /** Where the stubs of {@code chain} are. */
    Path metadata(ChainId chain) {
        return directory.resolve("m" + chain.digest().hex().substring(0, 8));
    }

    private Path objects() {
        return directory.resolve("objects");
    }

    @Override
    public RootLayers open(ChainId chain, Purpose purpose) throws IOException {
        String lower = metadata(chain) + "::" + objects();
        if (!purpose.nested() && !shownByGate) {
            return new RootLayers(lower + gate.map(layer -> "::" + layer).orElse(""), true);
        }
        Path mountPoint = directory.resolve("n" + chain.digest().hex().substring(0, 8));
        if (!nested.contains(mountPoint)) {
            Files.createDirectories(mountPoint);
            Mounts.mount(
                    "overlay",
                    mountPoint,
                    "overlay",
                    List.of("ro", "lowerdir=" + lower, "metacopy=on", "redirect_dir=on"));
            nested.add(mountPoint);
        }
        return RootLayers.directory(mountPoint);
    }

    @Override
    public synchronized void close() throws IOException {
        for (Path mountPoint : nested) {
            Mounts.detach(mountPoint);
        }
        nested.clear();
    }
}
