package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectWriter.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A store's root without a fast tier.
 *
 * @param capacity the root
 */
record OneTier(TierFiles capacity) implements Tiers {
    @Override
    public List<TierFiles> all() {
        return List.of(capacity);
    }

    @Override
    public Optional<Path> fastDirectory() {
        return Optional.empty();
    }

    @Override
    public Optional<TierFiles> mounted(Tier tier) {
        return tier == Tier.CAPACITY ? Optional.of(capacity) : Optional.empty();
    }

    @Override
    public Optional<TierFiles> holder(Digest digest) {
        return capacity.has(digest) ? Optional.of(capacity) : Optional.empty();
    }

    @Override
    public Publication write(long size, Tier wanted, Writing writing) throws IOException {
        return writing.write(new Target(capacity, Optional.empty())).publication();
    }

    @Override
    public boolean makeLate(Digest digest) throws IOException {
        return capacity.makeLate(digest);
    }

    @Override
    public boolean move(Digest digest, Tier to) {
        return false;
    }

    @Override
    public long drop(Digest digest) throws IOException {
        return capacity.drop(digest).orElse(0L);
    }

    @Override
    public Usage usage(Tier tier) throws IOException {
        return tier == Tier.CAPACITY ? capacity.usage() : Usage.NONE;
    }

    @Override
    public long fastLimit() {
        return 0;
    }
}
