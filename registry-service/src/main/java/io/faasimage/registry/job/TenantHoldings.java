package io.faasimage.registry.job;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Holdings of one tenant, on whatever thread the engine calls them. Thread-safe when the holdings are. */
final class TenantHoldings implements Holdings {
    private final Holdings holdings;
    private final TenantName tenant = TenantScope.current();

    /** The holdings as the present tenant has them. */
    TenantHoldings(Holdings holdings) {
        this.holdings = holdings;
    }

    @Override
    public Set<Digest> held(Collection<Digest> digests) {
        return TenantScope.call(tenant, () -> holdings.held(digests));
    }

    @Override
    public byte[] content(Digest digest) throws IOException {
        return TenantScope.<byte[], IOException>call(tenant, () -> holdings.content(digest));
    }

    @Override
    public void copy(Digest digest, OutputStream out) throws IOException {
        TenantScope.<Boolean, IOException>call(tenant, () -> {
            holdings.copy(digest, out);
            return true;
        });
    }

    @Override
    public InputStream open(Digest digest) throws IOException {
        return new Reading(tenant, TenantScope.<InputStream, IOException>call(tenant, () -> holdings.open(digest)));
    }

    @Override
    public boolean holdsMetadata(Digest metadata) {
        return TenantScope.call(tenant, () -> holdings.holdsMetadata(metadata));
    }

    @Override
    public Optional<byte[]> layerIndex(Digest blob) throws IOException {
        return TenantScope.<Optional<byte[]>, IOException>call(tenant, () -> holdings.layerIndex(blob));
    }

    /** A stream that notes damage for its tenant. */
    private static final class Reading extends FilterInputStream {
        private final TenantName tenant;

        Reading(TenantName tenant, InputStream in) {
            super(in);
            this.tenant = tenant;
        }

        @Override
        public int read() throws IOException {
            return TenantScope.<Integer, IOException>call(tenant, in::read);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return TenantScope.<Integer, IOException>call(tenant, () -> in.read(target, offset, length));
        }

        @Override
        public long skip(long n) throws IOException {
            return TenantScope.<Long, IOException>call(tenant, () -> in.skip(n));
        }
    }
}
