package io.faasimage.node.plans.plan;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.format.FormatException;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Metadata images on the local disk, {@code <hex>.erofs}. Each is verified before it is published, and again after the
 * machine was started anew: nothing is flushed while a start waits. Thread-safe.
 */
public final class MetadataImages {
    private static final String IMAGE = ".erofs";
    private static final String TOPIC = "plan";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path metadata;
    /** Where the boot is noted in which all of them were written or verified. */
    private final Path mark;

    private final Events events;
    /** Metadata images that were here when the machine was started, and have not been read since. */
    private final Set<Digest> unverified = ConcurrentHashMap.newKeySet();

    private boolean newBoot;

    private MetadataImages(Path metadata, Path mark, Events events) {
        this.metadata = metadata;
        this.mark = mark;
        this.events = events;
    }

    /**
     * Opens the directory, which is made when it is not there.
     *
     * @param mark file in which the boot is noted
     */
    static MetadataImages open(Path directory, Path mark, Events events) throws IOException {
        MetadataImages images = new MetadataImages(directory, mark, events);
        Files.createDirectories(directory);
        AtomicFile.sweep(directory);
        images.listUnverified();
        return images;
    }

    /**
     * In a new boot of the machine, a crash may have left metadata images unfinished: each is read before it is used.
     */
    private void listUnverified() throws IOException {
        if (Files.exists(mark) && Arrays.equals(Files.readAllBytes(mark), Files.readAllBytes(BOOT_ID))) {
            return;
        }
        newBoot = true;
        try (DirectoryStream<Path> images = Files.newDirectoryStream(metadata, "*" + IMAGE)) {
            for (Path image : images) {
                String name = String.valueOf(image.getFileName());
                PlanStore.digestOf(name.substring(0, name.length() - IMAGE.length()))
                        .ifPresent(unverified::add);
            }
        }
    }

    /** Verifies the metadata images that have not been used since the machine was started, and notes that. */
    public void verify() throws IOException {
        if (newBoot) {
            unverified.forEach(this::has);
            AtomicFile.publishSynced(mark, out -> out.write(Files.readAllBytes(BOOT_ID)));
        }
    }

    private boolean isSound(Digest image) {
        if (!unverified.contains(image)) {
            return true;
        }
        try {
            if (!digest(path(image)).equals(image)) {
                events.error(TOPIC, "removed the damaged metadata image " + image + ", it is requested again");
                Files.deleteIfExists(path(image));
            }
        } catch (IOException e) {
            events.error(TOPIC, "the metadata image " + image + " cannot be read: " + Events.reason(e));
            return false;
        }
        unverified.remove(image);
        return Files.exists(path(image));
    }

    private static Digest digest(Path file) throws IOException {
        MessageDigest hash = Digest.newSha256();
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), hash));
        }
        return Digest.ofBytes(hash.digest());
    }

    /** The bytes of a metadata image that is here. */
    public byte[] read(Digest digest) throws IOException {
        return Files.readAllBytes(path(digest));
    }

    /** Where the metadata image lies, if it is here. */
    public Path path(Digest digest) {
        return metadata.resolve(digest.hex() + IMAGE);
    }

    /** Whether the metadata image is here. */
    public boolean has(Digest digest) {
        return Files.exists(path(digest)) && isSound(digest);
    }

    /** Whether the metadata image is here and need not be read to know that it is sound. */
    boolean isVerified(Digest digest) {
        return !unverified.contains(digest) && Files.exists(path(digest));
    }

    /**
     * Verifies and publishes a metadata image.
     *
     * @param size its size in bytes, not compressed
     * @param content the image, as a zstd frame when {@code zstd}; closed here
     * @throws IOException when size or digest differ, or the disk is full; nothing is published then
     */
    public void save(Digest digest, long size, InputStream content, boolean zstd) throws IOException {
        try (InputStream raw = zstd ? new ZstdInputStream(content) : content) {
            AtomicFile.publishAndSync(path(digest), out -> copyVerified(digest, size, raw, out));
            unverified.remove(digest);
        }
    }

    private static void copyVerified(Digest digest, long size, InputStream raw, OutputStream out) throws IOException {
        MessageDigest hash = Digest.newSha256();
        long copied = copyAtMost(raw, new DigestOutputStream(out, hash), size);
        Digest found = Digest.ofBytes(hash.digest());
        if (copied != size || !found.equals(digest)) {
            throw FormatException.corrupt("metadata image " + digest + " of " + size + " bytes arrived as " + found
                    + " of " + copied + " bytes");
        }
    }

    /** Copies {@code in} to {@code out} but at most {@code limit} bytes; returns how many. */
    private static long copyAtMost(InputStream in, OutputStream out, long limit) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long total = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            total += n;
            if (total > limit) {
                throw new IOException("more than the " + limit + " bytes that were announced");
            }
            out.write(buffer, 0, n);
        }
        return total;
    }

    /** Deletes the metadata images that are not needed; returns their number and bytes. */
    public Pruned prune(Set<Digest> needed) throws IOException {
        Set<String> names = needed.stream().map(image -> image.hex() + IMAGE).collect(Collectors.toSet());
        int count = 0;
        long bytes = 0;
        try (DirectoryStream<Path> images = Files.newDirectoryStream(metadata, "*" + IMAGE)) {
            for (Path image : images) {
                if (!names.contains(String.valueOf(image.getFileName()))) {
                    bytes += Files.size(image);
                    count++;
                    Files.delete(image);
                }
            }
        }
        return new Pruned(count, bytes);
    }

    /**
     * Metadata images that were deleted.
     *
     * @param count how many
     * @param bytes their sizes
     */
    public record Pruned(int count, long bytes) {}
}
