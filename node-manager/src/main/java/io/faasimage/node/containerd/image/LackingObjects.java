package io.faasimage.node.containerd.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.pull.Contents;
import io.faasimage.store.object.StoreException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a plan that a node lacks, and who waits for them. One thread takes them out of a stream of files;
 * others may begin to wait meanwhile.
 */
final class LackingObjects {
    /** Larger ones go through a file. */
    private static final int MOST_IN_MEMORY = 1 << 20;

    private final Contents contents;
    /** Guarded by this, as are their fields. */
    private final Map<Digest, Lacking> lacking = new HashMap<>();
    /** How many lack by their size: only files of these sizes are hashed. Guarded by this. */
    private final Map<Long, Integer> sizes = new HashMap<>();

    private final Set<Digest> unfit = new HashSet<>();
    private boolean isReady;
    private boolean isDiskFull;
    private int awaited;
    private int kept;

    private static final class Lacking {
        private final long size;
        private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
        private boolean asFile;
        /** It has gone by, and there was no room for what nobody waited for. */
        private boolean isSkipped;

        Lacking(long size) {
            this.size = size;
        }
    }

    /** None yet, of those that {@code contents} does not have. */
    LackingObjects(Contents contents) {
        this.contents = contents;
    }

    /** Adds those of {@code objects} that are not here. From then on only these are looked for. */
    void begin(Collection<PlanObject> objects) {
        for (PlanObject object : objects) {
            if (object.size() > 0 && !contents.has(object.digest(), false)) {
                add(object);
            }
        }
        synchronized (this) {
            isReady = true;
        }
    }

    private synchronized Lacking add(PlanObject object) {
        return lacking.computeIfAbsent(object.digest(), _ -> {
            sizes.merge(object.size(), 1, Integer::sum);
            return new Lacking(object.size());
        });
    }

    /** Waits for an object that may still come; false when it may have gone by. */
    synchronized boolean await(PlanObject object, boolean asFile, CompletableFuture<Void> waiting) {
        if (!isReady) {
            add(object);
        }
        return await(object.digest(), asFile, waiting);
    }

    /** As the other one, for an object that is perhaps none of the plan's. */
    synchronized boolean await(Digest object, boolean asFile, CompletableFuture<Void> waiting) {
        Lacking found = lacking.get(object);
        if (found == null || found.isSkipped) {
            return false;
        }
        awaited += found.waiting.isEmpty() ? 1 : 0;
        found.asFile |= asFile;
        found.waiting.add(waiting);
        return true;
    }

    synchronized boolean isEmpty() {
        return lacking.isEmpty();
    }

    /** Whether somebody waits for one of them. */
    synchronized boolean areAwaited() {
        return awaited > 0;
    }

    /** Those that have not gone by. */
    synchronized Set<Digest> left() {
        return lacking.entrySet().stream()
                .filter(entry -> !entry.getValue().isSkipped)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Those that were found, and can be kept nowhere, however often they come. */
    synchronized Set<Digest> unfit() {
        return Set.copyOf(unfit);
    }

    /** How many were found and kept. */
    synchronized int kept() {
        return kept;
    }

    /** Nothing comes any more: all that is awaited fails. */
    void fail(IOException reason) {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        synchronized (this) {
            lacking.values().forEach(each -> waiting.addAll(each.waiting));
            lacking.clear();
            sizes.clear();
        }
        waiting.forEach(each -> each.completeExceptionally(reason));
    }

    /**
     * Keeps a file if it is one of them. One that cannot be kept fails for those who wait for it.
     *
     * @throws IOException unchanged from {@code file}
     */
    void take(long size, InputStream file) throws IOException {
        synchronized (this) {
            if (!sizes.containsKey(size)) {
                return;
            }
        }
        if (size <= MOST_IN_MEMORY) {
            byte[] bytes = file.readNBytes((int) size);
            if (bytes.length < size) {
                throw new EOFException("a file of a layer ended early");
            }
            keep(Digest.of(bytes), size, () -> new ByteArrayInputStream(bytes));
        } else {
            takeLarge(size, file);
        }
    }

    private void takeLarge(long size, InputStream file) throws IOException {
        synchronized (this) {
            if (isDiskFull
                    && lacking.values().stream().noneMatch(each -> each.size == size && !each.waiting.isEmpty())) {
                skip(size);
                return;
            }
        }
        Path copy = contents.scratch().resolve("layer-" + UUID.randomUUID());
        MessageDigest hash = Digest.newSha256();
        try (Copy out = new Copy(copy)) {
            if (new DigestInputStream(file, hash).transferTo(out) != size) {
                throw new EOFException("a file of a layer ended early");
            }
            out.flush();
            Digest digest = Digest.ofBytes(hash.digest());
            if (out.failure == null) {
                keep(digest, size, () -> Files.newInputStream(copy));
            } else {
                failed(digest, StoreException.ofWrite("object " + digest, copy, out.failure));
            }
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** A file that takes what it can: what follows is read in any case. */
    private static final class Copy extends OutputStream {
        private @Nullable OutputStream file;
        private @Nullable IOException failure;

        Copy(Path path) {
            try {
                file = Files.newOutputStream(path);
            } catch (IOException e) {
                failure = e;
            }
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (file != null && failure == null) {
                try {
                    file.write(bytes, offset, length);
                } catch (IOException e) {
                    failure = e;
                }
            }
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }

    /** Those of a size, which go by and are not looked at. */
    private void skip(long size) {
        lacking.values().stream().filter(each -> each.size == size).forEach(each -> each.isSkipped = true);
    }

    private void keep(Digest digest, long size, Contents.Content content) {
        boolean asFile;
        synchronized (this) {
            Lacking found = lacking.get(digest);
            if (found == null) {
                return;
            }
            if (isDiskFull && found.waiting.isEmpty()) {
                found.isSkipped = true;
                return;
            }
            asFile = found.asFile;
        }
        try {
            contents.keep(digest, size, content, asFile);
            while (!found(digest, asFile)) {
                // Somebody needs a file since a moment ago.
                asFile = true;
                contents.keep(digest, size, content, true);
            }
        } catch (IOException e) {
            failed(digest, e);
        }
    }

    /** Returns whether all that is wanted of it is there. */
    private boolean found(Digest digest, boolean isFile) {
        List<CompletableFuture<Void>> waiting;
        synchronized (this) {
            Lacking found = lacking.get(digest);
            if (found == null) {
                return true;
            }
            if (found.asFile && !isFile) {
                return false;
            }
            waiting = remove(digest, found);
            kept++;
        }
        waiting.forEach(each -> each.complete(null));
        return true;
    }

    private void failed(Digest digest, IOException reason) {
        List<CompletableFuture<Void>> waiting = List.of();
        synchronized (this) {
            boolean isFull = reason instanceof StoreException e && e.kind() == StoreException.Kind.FULL;
            isDiskFull |= isFull;
            if (!isFull) {
                unfit.add(digest);
            }
            Lacking found = lacking.get(digest);
            if (found != null) {
                waiting = remove(digest, found);
            }
        }
        IOException failure =
                new IOException("it came by a layer, and could not be kept: " + Events.reason(reason), reason);
        waiting.forEach(each -> each.completeExceptionally(failure));
    }

    private List<CompletableFuture<Void>> remove(Digest digest, Lacking found) {
        lacking.remove(digest);
        sizes.computeIfPresent(found.size, (_, count) -> count == 1 ? null : count - 1);
        awaited -= found.waiting.isEmpty() ? 0 : 1;
        return found.waiting;
    }
}
