package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectWriter.Target;
import io.faasimage.store.ObjectWriter.Written;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fast tier above a store's root. Room is reserved before an object is written and released when objects leave; while
 * the tier's file system is not mounted, everything goes to the root.
 */
final class TwoTiers implements Tiers {
    private final OneTier below;
    private final TierFiles capacity;
    private final TierFiles fast;
    private final FastRoom room;
    private final ObjectWriter objects;

    private TwoTiers(OneTier below, TierFiles fast, FastRoom room, ObjectWriter objects) {
        this.below = below;
        this.capacity = below.capacity();
        this.fast = fast;
        this.room = room;
        this.objects = objects;
    }

    /**
     * Opens {@code tier} above {@code below}.
     *
     * @param objects copies the objects that move
     */
    static TwoTiers open(
            FastTier tier, OneTier below, String writer, StoreLimits limits, Boot boot, ObjectWriter objects)
            throws IOException {
        Layout layout = new Layout(tier.directory());
        layout.create();
        TierFiles files = TierFiles.open(Tier.FAST, layout, writer, limits, boot);
        return new TwoTiers(below, files, new FastRoom(tier, files.usage().bytes()), objects);
    }

    @Override
    public TierFiles capacity() {
        return capacity;
    }

    @Override
    public List<TierFiles> all() {
        return List.of(fast, capacity);
    }

    @Override
    public Optional<Path> fastDirectory() {
        return Optional.of(fast.root());
    }

    @Override
    public Optional<TierFiles> mounted(Tier tier) {
        return tier == Tier.CAPACITY || fast.isThere() ? Optional.of(files(tier)) : Optional.empty();
    }

    private TierFiles files(Tier tier) {
        return tier == Tier.FAST ? fast : capacity;
    }

    /**
     * An object that moves has both names for a moment; the first tier is looked at again, as it may have moved there.
     */
    @Override
    public Optional<TierFiles> holder(Digest digest) {
        return Stream.of(fast, capacity, fast).filter(tier -> tier.has(digest)).findFirst();
    }

    @Override
    public Publication write(long size, Tier wanted, Writing writing) throws IOException {
        long reserved = Math.max(size, 0);
        if (wanted == Tier.CAPACITY || !fast.isThere() || !room.reserve(reserved)) {
            return below.write(size, wanted, writing);
        }
        long taken = 0;
        try {
            Written written = writing.write(new Target(fast, Optional.of(capacity)));
            taken = written.isNewIn(Tier.FAST) ? written.bytes() : 0;
            return written.publication();
        } finally {
            room.take(taken - reserved);
        }
    }

    @Override
    public boolean makeLate(Digest digest) throws IOException {
        // In the same order as a look-up of an object that moves.
        return fast.makeLate(digest) || capacity.makeLate(digest) || fast.makeLate(digest);
    }

    @Override
    public boolean move(Digest digest, Tier to) throws IOException {
        TierFiles source = to == Tier.FAST ? capacity : fast;
        return fast.isThere() && copied(digest, source, files(to)) && dropFrom(source, digest) >= 0;
    }

    private boolean copied(Digest digest, TierFiles source, TierFiles target) throws IOException {
        boolean up = target.tier() == Tier.FAST;
        long reserved = 0;
        long taken = 0;
        try (FileChannel from = FileChannel.open(source.object(digest), StandardOpenOption.READ)) {
            long size = from.size();
            if (up && !room.reserve(size)) {
                return false;
            }
            reserved = up ? size : 0;
            InputStream in = Channels.newInputStream(from);
            Written written = objects.write(digest, size, in, new Target(target, Optional.empty()));
            taken = written.isNewIn(Tier.FAST) ? size : 0;
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (StoreException e) {
            if (e.kind() == Kind.WRONG_CONTENT) {
                dropFrom(source, digest);
            }
            throw e;
        } finally {
            room.give(reserved - taken);
        }
    }

    @Override
    public long drop(Digest digest) throws IOException {
        long above = dropFrom(fast, digest);
        return above + below.drop(digest);
    }

    private long dropFrom(TierFiles tier, Digest digest) throws IOException {
        long bytes = tier.drop(digest).orElse(0L);
        if (tier.tier() == Tier.FAST) {
            room.give(bytes);
        }
        return bytes;
    }

    @Override
    public Usage usage(Tier tier) throws IOException {
        if (tier == Tier.CAPACITY) {
            return below.usage(tier);
        }
        if (!fast.isThere()) {
            return Usage.NONE;
        }
        Usage usage = fast.usage();
        room.correct(usage.bytes());
        return usage;
    }

    @Override
    public long fastLimit() throws IOException {
        return fast.isThere() ? room.limit() : 0;
    }
}
