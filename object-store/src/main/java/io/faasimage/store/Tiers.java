package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectWriter.Target;
import io.faasimage.store.ObjectWriter.Written;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The directories that the objects of a store lie in: {@link OneTier} alone, or {@link TwoTiers}, which adds a fast
 * one. Thread-safe. Calls that change an object ({@link #write}, {@link #move}, {@link #drop}) come from one thread at
 * a time for the same object ({@link ObjectTurns}); all others may come from any thread meanwhile.
 */
sealed interface Tiers permits OneTier, TwoTiers {
    /** Writes one object. */
    @FunctionalInterface
    interface Writing {
        Written write(Target target) throws IOException;
    }

    /** The store's root. */
    TierFiles capacity();

    /** All of them, in the order in which objects are looked for. */
    List<TierFiles> all();

    /** See {@link ObjectStore#fastDirectory}. */
    Optional<Path> fastDirectory();

    /** One of them; empty when there is none, or its file system is not mounted any more. */
    Optional<TierFiles> mounted(Tier tier);

    /** The one that holds an object. */
    Optional<TierFiles> holder(Digest digest);

    /**
     * Has an object written.
     *
     * @param size in bytes, or negative when it is not known
     * @param wanted where it is to lie; in the capacity tier when the fast one does not take it
     */
    Publication write(long size, Tier wanted, Writing writing) throws IOException;

    /** See {@link ObjectStore#makeLate}. */
    boolean makeLate(Digest digest) throws IOException;

    /** See {@link ObjectStore#move}. */
    boolean move(Digest digest, Tier to) throws IOException;

    /** See {@link ObjectStore#drop}. */
    long drop(Digest digest) throws IOException;

    /** See {@link ObjectStore#usage(Tier)}. */
    Usage usage(Tier tier) throws IOException;

    /** See {@link ObjectStore#fastLimit}. */
    long fastLimit() throws IOException;
}
