package io.faasimage.registry.blob;

import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stores of all tenants' blobs as one: each call goes to that of the tenant for whom the thread works, so that a
 * name leads to no other tenant's blob. Thread-safe.
 */
final class TenantBlobs implements BlobStore {
    /** Makes the store of a tenant. */
    @FunctionalInterface
    interface Opener {
        /** The store, in a place of its own; {@link #close} of the default tenant's ends its connections. */
        BlobStore open(TenantName tenant) throws IOException;
    }

    private final BlobStore own;
    private final Opener opener;
    private final Map<TenantName, BlobStore> others = new ConcurrentHashMap<>();

    /**
     * A store of the default tenant, and those of others when they are needed.
     *
     * @param own of the default tenant
     * @param opener of the others
     */
    TenantBlobs(BlobStore own, Opener opener) {
        this.own = own;
        this.opener = opener;
    }

    private BlobStore current() throws IOException {
        TenantName tenant = TenantScope.current();
        if (tenant.isDefault()) {
            return own;
        }
        try {
            return others.computeIfAbsent(tenant, this::open);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private BlobStore open(TenantName tenant) {
        try {
            return opener.open(tenant);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BlobStore unchecked() {
        try {
            return current();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void publish(Map<Path, Blob> files) throws IOException {
        current().publish(files);
    }

    @Override
    public void write(Blob blob, byte[] content) throws IOException {
        current().write(blob, content);
    }

    @Override
    public byte[] read(Blob blob) throws IOException {
        return current().read(blob);
    }

    @Override
    public InputStream read(Blob blob, long offset, long length) throws IOException {
        return current().read(blob, offset, length);
    }

    @Override
    public long size(Blob blob) throws IOException {
        return current().size(blob);
    }

    @Override
    public Optional<Path> file(Blob blob) {
        return unchecked().file(blob);
    }

    @Override
    public void discard(Blob blob) {
        unchecked().discard(blob);
    }

    @Override
    public void delete(Blob blob) throws IOException {
        current().delete(blob);
    }

    @Override
    public boolean isShared() {
        return own.isShared();
    }

    @Override
    public void check() throws IOException {
        own.check();
    }

    @Override
    public void sweep() throws IOException {
        current().sweep();
    }

    @Override
    public void close() {
        own.close();
    }
}
