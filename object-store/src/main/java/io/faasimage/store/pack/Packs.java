package io.faasimage.store.pack;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.ReadGuard;
import io.faasimage.store.object.StoredObject;
import io.faasimage.store.object.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The packs of a node below one directory, and the places of objects in them. Each is mounted once, for all containers,
 * and stays mounted when this process ends. Thread-safe.
 */
public final class Packs implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Packs.class.getName());
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final String BOOT = "boot";
    /** Half a frame: without any, a frame is decompressed for each of its pages. */
    private static final int OBSERVED_KIB = 32;
    /** A read that was allowed has got its blocks by then. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Path root;
    private final WaitingReads reads;
    /** The newest first. */
    private final List<Pack> packs = new CopyOnWriteArrayList<>();

    private final PackIndex index = new PackIndex();

    /** The way to open the packs of a store, once nobody else has it. */
    @FunctionalInterface
    public interface Opening {
        /** Opens them. */
        Packs open() throws IOException;
    }

    /** Where an object lies: the pack, and its index there. */
    public record Place(Pack pack, int object) {}

    private Packs(Path root, WaitingReads reads) {
        this.root = root;
        this.reads = reads;
    }

    /**
     * The packs below {@code root}, those of an earlier process among them. After a crash of the machine, frames that
     * may not be on the disk are verified. Reads of missing frames wait until {@link #serve}.
     *
     * @param guard of an earlier process, which another has kept: reads that wait get their answers by this one
     */
    public static Packs open(Path root, Optional<ReadGuard> guard) throws IOException {
        Files.createDirectories(root);
        Packs all = new Packs(root, new WaitingReads(guard, root.resolve("waiting")));
        try {
            all.adopt();
            return all;
        } catch (IOException | RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** The descriptor by which another process keeps waiting reads when this one ends. */
    public int descriptor() {
        return reads.descriptor();
    }

    /** Begins to answer reads of missing frames. */
    public void serve(MissingFrames missing) {
        reads.serve(missing);
    }

    private void adopt() throws IOException {
        MountTable mounts = MountTable.read();
        String boot = Files.readString(BOOT_ID).strip();
        for (Path directory : oldestFirst()) {
            PackLayout table;
            Pack pack;
            try {
                table = Pack.table(directory);
                pack = Pack.open(directory, table, reads::came);
            } catch (FormatException | NoSuchFileException e) {
                LOG.log(Level.WARNING, "the pack " + directory + " is damaged, and is removed", e);
                remove(directory);
                continue;
            }
            try {
                adopt(pack, boot, mounts);
                index.add(pack, table);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the pack " + directory + " cannot be used, and is removed", e);
                drop(pack);
            }
        }
    }

    private List<Path> oldestFirst() throws IOException {
        Map<Path, FileTime> made = new HashMap<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path directory : directories) {
                made.put(directory, Pack.made(directory));
            }
        }
        return made.keySet().stream().sorted(Comparator.comparing(made::get)).toList();
    }

    private void adopt(Pack pack, String boot, MountTable mounts) throws IOException {
        Path known = pack.directory().resolve(BOOT);
        if (!Files.exists(known) || !Files.readString(known).equals(boot)) {
            int damaged = pack.verify();
            if (damaged > 0) {
                LOG.log(
                        Level.WARNING,
                        damaged + " frames of " + pack.directory() + " were lost by an unclean shutdown");
            }
            try {
                pack.flush();
                Files.writeString(known, boot);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "frames of " + pack.directory() + " will be verified once more", e);
            }
        }
        // A file that was not guarded when it was mounted cannot be guarded later.
        reads.guard(pack);
        if (mounts.at(pack.point()).isEmpty()) {
            pack.mount();
        }
        packs.addFirst(pack);
        try {
            pack.freeDropped();
            settled(pack);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "blocks of dropped frames of " + pack.directory() + " are not free until the next eviction",
                    e);
        }
    }

    /** Where an object has its place, whether or not its frames are there: in the newest pack. */
    public Optional<Place> find(Digest object) {
        return places(object).stream().findFirst();
    }

    /** All places of an object, the newest pack's first. */
    public List<Place> places(Digest object) {
        List<Place> places = new ArrayList<>();
        for (Pack pack : index.having(object)) {
            int found = pack.layout().find(object);
            if (found >= 0) {
                places.add(new Place(pack, found));
            }
        }
        return places;
    }

    /** As {@link #find}; its pack stays for some time, even if nothing is in it. */
    public synchronized Optional<Place> use(Digest object) {
        Optional<Place> place = find(object);
        place.ifPresent(there -> there.pack().use());
        return place;
    }

    /** The file of an object that is there with all of its frames. */
    public Optional<Path> whole(Digest object) {
        return find(object)
                .filter(place -> place.pack().has(place.pack().layout().framesOf(place.object())))
                .map(place -> place.pack().file(place.object()));
    }

    /** The stored form of an object that is there with all of its frames; a reader of it never waits for one. */
    public Optional<InputStream> stored(Digest object) {
        return find(object)
                .filter(place -> place.pack().has(place.pack().layout().framesOf(place.object())))
                .map(place -> place.pack().stored(place.object()));
    }

    /** Shows the objects of which some frames are there, of those whose digests begin with {@code part}. */
    public void forEach(int part, Consumer<StoredObject> visitor) {
        for (Pack pack : packs) {
            pack.layout().forEach(part, object -> {
                long bytes = pack.bytes(object);
                if (bytes > 0) {
                    visitor.accept(new StoredObject(pack.layout().object(object), bytes));
                }
            });
        }
    }

    /** The whole objects, and the bytes of all frames that are there. */
    public Usage usage() {
        return new Usage(
                packs.stream().mapToLong(Pack::wholeObjects).sum(),
                packs.stream().mapToLong(Pack::bytes).sum());
    }

    /**
     * Takes the frames of an object away: a reader waits for them from then on. Their blocks are free after {@link
     * #freeDropped}.
     *
     * @return bytes of the frames
     */
    public long drop(Digest object) throws IOException {
        long dropped = 0;
        for (Pack pack : index.having(object)) {
            int found = pack.layout().find(object);
            if (found >= 0 && pack.bytes(found) > 0) {
                synchronized (pack.guarding()) {
                    reads.guard(pack);
                    pack.readAhead(false);
                    dropped += pack.drop(found);
                }
            }
        }
        return dropped;
    }

    /** Frees the blocks of dropped frames, once reads that had begun before are over. */
    public void freeDropped() throws IOException {
        List<Pack> those = packs.stream().filter(Pack::hasDropped).toList();
        if (those.isEmpty()) {
            return;
        }
        try {
            Thread.sleep(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before dropped frames were freed");
        }
        for (Pack pack : those) {
            pack.freeDropped();
        }
    }

    /** All packs, the newest first. */
    public List<Pack> all() {
        return List.copyOf(packs);
    }

    /** Flushes all frames that have come to the disk. */
    public void flush() throws IOException {
        for (Pack pack : packs) {
            pack.flush();
        }
    }

    /**
     * A new pack, mounted, with places for these objects; none of their frames is there.
     *
     * @param name what its name begins with
     */
    public synchronized Pack add(String name, List<PackedObject> objects) throws IOException {
        Path directory = root.resolve(name);
        for (int more = 2; Files.exists(directory); more++) {
            directory = root.resolve(name + "-" + more);
        }
        @Nullable Pack made = null;
        try {
            PackLayout layout = PackLayout.of(objects);
            Pack pack = Pack.create(directory, layout, reads::came);
            made = pack;
            Files.writeString(directory.resolve(BOOT), Files.readString(BOOT_ID).strip());
            reads.guard(pack);
            pack.mount();
            packs.addFirst(pack);
            index.add(pack, layout);
            return pack;
        } catch (IOException | RuntimeException e) {
            if (made == null) {
                remove(directory);
            } else {
                drop(made);
            }
            throw e;
        }
    }

    /** Copies what is there of an object into another pack, which is the newer one. */
    public void copy(Place place, Pack pack) throws IOException {
        int there = pack.layout().find(place.pack().layout().object(place.object()));
        place.pack().copy(place.object(), pack, there, Digest.newSha256());
    }

    /**
     * Removes packs in which nothing is, and which no container uses.
     *
     * @param since packs that were given to a container later than that stay, by the monotonic clock
     */
    public synchronized void removeEmpty(long since) throws IOException {
        List<Pack> empty = packs.stream()
                .filter(pack -> pack.bytes() == 0 && pack.used() - since < 0)
                .toList();
        if (empty.isEmpty()) {
            return;
        }
        String overlays = MountTable.read().entries().stream()
                .filter(entry -> entry.type().equals("overlay"))
                .map(MountTable.Entry::superOptions)
                .collect(Collectors.joining(","));
        for (Pack pack : empty) {
            if (!overlays.contains(pack.name() + "/")) {
                drop(pack);
            }
        }
    }

    /**
     * Mounts a pack once more, at another point, with a page cache of its own, in which a read leaves little but what
     * it was for.
     */
    public void mountAgain(Pack pack, Path point) throws IOException {
        synchronized (pack.guarding()) {
            reads.guard(pack);
            var _ = pack.mountAt(point, OBSERVED_KIB);
            if (pack.isComplete()) {
                settled(pack);
            }
        }
    }

    /** A pull into the pack has ended: a complete pack loses its guard, and its compressed pages are dropped. */
    public void settled(Pack pack) throws IOException {
        synchronized (pack.guarding()) {
            if (pack.isComplete()) {
                reads.release(pack);
                pack.readAhead(true);
            }
        }
        pack.dropPages();
    }

    /** How many reads had to wait for their frames so far. */
    public long waited() {
        return reads.waited();
    }

    private void drop(Pack pack) throws IOException {
        packs.remove(pack);
        index.remove(pack);
        reads.release(pack);
        pack.close();
        remove(pack.directory());
    }

    /** Unmounts and deletes everything below a directory, and the directory. */
    public static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Mounts.detach(Path.of(entry.target()));
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Takes no more questions of the kernel, before what answers them ends: they wait for the next process. */
    public void stop() {
        reads.stop();
    }

    /** Ends the answers to reads; the packs stay mounted. */
    @Override
    public void close() throws IOException {
        reads.close();
        for (Pack pack : packs) {
            pack.close();
        }
    }
}
