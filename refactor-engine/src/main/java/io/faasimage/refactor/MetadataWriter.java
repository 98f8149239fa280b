package io.faasimage.refactor;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.erofs.TreeRefusedException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageBudget;
import io.faasimage.refactor.spool.CompressedFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A writer of the metadata images of an image's prefixes, each distinct one once, without those that the store has.
 * For one thread; another one compresses them meanwhile.
 */
final class MetadataWriter implements AutoCloseable {
    private static final int BUFFER = 256 << 10;

    private final Path work;
    private final OutputFiles output;
    private final int level;
    private final long maxBytes;
    private final Holdings held;
    private final Map<Digest, Future<MetadataImage>> images = new LinkedHashMap<>();
    /**
     * A thread that compresses, as nothing before the end of a refactoring needs the compressed images. One image waits
     * for it; the caller compresses the next one itself, so that the disk has at most three raw ones.
     */
    private final ExecutorService compressor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            Thread.ofPlatform().daemon().name("metadata").factory(),
            new ThreadPoolExecutor.CallerRunsPolicy());

    private int begun;
    private long bytes;

    MetadataWriter(Path work, OutputFiles output, EngineConfig config, Holdings held) {
        this.work = work;
        this.output = output;
        this.level = config.startupLevel();
        this.maxBytes = config.maxMetadataImageBytes();
        this.held = held;
    }

    /** The metadata image of {@code tree}: its digest and size; its file is written unless the store has it. */
    Written write(FileTree tree) throws IOException {
        Path raw = work.resolve("metadata-" + begun++ + ".erofs");
        Written written = new Written(writeRaw(tree, raw), Files.size(raw));
        count(written);
        if (images.containsKey(written.digest()) || held.holdsMetadata(written.digest())) {
            Files.delete(raw);
            return written;
        }
        Path part = output.begin();
        Path file = output.name(part, "metadata-" + written.digest().hex() + ".erofs.zst");
        images.put(written.digest(), compressor.submit(() -> {
            long stored = CompressedFile.write(raw, level, part);
            Files.delete(raw);
            return new MetadataImage(written.digest(), written.size(), file, stored);
        }));
        return written;
    }

    private void count(Written written) throws RefactorException {
        bytes += written.size();
        if (bytes > maxBytes) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the metadata images of its layers, each with all files below it, have more than the limit of "
                            + maxBytes + " bytes" + ImageBudget.raise("metadata-images")
                            + ", an image of fewer layers needs less");
        }
    }

    /**
     * A metadata image.
     *
     * @param digest of the raw image
     * @param size of it in bytes
     */
    record Written(Digest digest, long size) {}

    private static Digest writeRaw(FileTree tree, Path raw) throws IOException {
        MessageDigest hash = Digest.newSha256();
        try (OutputStream out =
                new BufferedOutputStream(new DigestOutputStream(Files.newOutputStream(raw), hash), BUFFER)) {
            ErofsWriter.write(tree, out);
        } catch (TreeRefusedException e) {
            throw new RefactorException(
                    Kind.UNSUPPORTED, "this root file system cannot be a metadata image: " + e.getMessage(), e);
        }
        return Digest.ofBytes(hash.digest());
    }

    /** The distinct images that are not held, bottom first. */
    List<MetadataImage> images() throws IOException {
        List<MetadataImage> written = new ArrayList<>();
        try {
            for (Future<MetadataImage> image : images.values()) {
                written.add(image.get());
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException("could not compress a metadata image: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted while compressing metadata images", e);
        }
        return written;
    }

    /** Cancels compressions that have not finished and waits for the thread. */
    @Override
    public void close() {
        compressor.shutdownNow();
        compressor.close();
    }
}
