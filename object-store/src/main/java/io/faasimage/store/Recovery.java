package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What opening a store does after the machine went down: objects are published without a flush each, so those younger
 * than the last checkpoint may be short or empty; they are hashed again, and the damaged are dropped.
 *
 * <p>Processes that open the same store at once take turns; the first does the work. Objects are judged by the time
 * of their last write; a clock that went backwards makes all of them suspects.
 */
final class Recovery {
    private static final Logger LOG = System.getLogger(Recovery.class.getName());

    /** File times are coarser than the clock. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Layout layout;
    private final StoreLimits limits;
    private final Boot boot;
    private final Scratch.Pool scratches;
    private final AtomicLong budget;

    Recovery(Layout layout, StoreLimits limits, Boot boot, Scratch.Pool scratches) {
        this.layout = layout;
        this.limits = limits;
        this.boot = boot;
        this.scratches = scratches;
        this.budget = new AtomicLong(limits.verifyBytes());
    }

    /** Verifies what must be; returns the number of objects dropped. */
    int run(String writer) throws IOException {
        try (FileChannel turn =
                FileChannel.open(layout.recoveryLock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock _ = turn.lock();
            Optional<Checkpoint> last = Checkpoint.read(layout.marker);
            if (last.isPresent() && last.get().boot().equals(boot.id())) {
                return 0;
            }
            Instant now = boot.clock().instant();
            int dropped = verifyAll(suspects(firstDoubtful(last, now)));
            new Checkpoint(boot.id(), now).write(layout.marker, writer);
            return dropped;
        }
    }

    private static Instant firstDoubtful(Optional<Checkpoint> last, Instant now) {
        return last.map(Checkpoint::time)
                .filter(time -> !time.isAfter(now))
                .map(time -> time.minus(SLACK))
                .orElse(Instant.MIN);
    }

    private List<Path> suspects(Instant since) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(layout.objects, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.lastModifiedTime().toInstant().isAfter(since)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private int verifyAll(List<Path> suspects) throws IOException {
        int dropped = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(limits.verifyThreads())) {
            List<Future<Boolean>> results = new ArrayList<>();
            for (Path suspect : suspects) {
                results.add(threads.submit(() -> keep(suspect)));
            }
            for (Future<Boolean> result : results) {
                if (!result.get()) {
                    dropped++;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    StoreException.Kind.FAILED, "interrupted while verifying the objects of " + layout.root, e);
        } catch (ExecutionException e) {
            throw new StoreException(
                    StoreException.Kind.FAILED,
                    "could not verify the objects of " + layout.root + " after a crash; check the disk",
                    e.getCause());
        }
        if (!suspects.isEmpty()) {
            LOG.log(
                    dropped == 0 ? Level.INFO : Level.WARNING,
                    "the machine went down without a checkpoint of {0}: {1} objects verified, {2} dropped",
                    layout.root,
                    suspects.size(),
                    dropped);
        }
        return dropped;
    }

    /** Verifies one object and drops it when it is not whole. */
    private Boolean keep(Path file) throws IOException {
        Optional<Digest> name = Layout.digestOf(file);
        if (name.isPresent() && isWhole(file, name.get())) {
            return true;
        }
        name.ifPresent(digest -> deleteUnchecked(layout.late(digest)));
        Files.deleteIfExists(file);
        return false;
    }

    private boolean isWhole(Path file, Digest digest) {
        Scratch scratch = scratches.take();
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(scratch.buffer); n >= 0; n = in.read(scratch.buffer)) {
                if (budget.addAndGet(-n) < 0) {
                    return false;
                }
                scratch.sha256.update(scratch.buffer, 0, n);
            }
            return scratch.digest().equals(digest);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not read the object " + file, e);
            return false;
        } finally {
            scratches.giveBack(scratch);
        }
    }

    private static void deleteUnchecked(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes what a killed process of this name left half-written. */
    static void clean(Path incoming) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(incoming)) {
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
        }
    }
}
