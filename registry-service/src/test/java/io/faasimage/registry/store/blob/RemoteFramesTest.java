package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.object.RemoteFrames;
import io.faasimage.registry.store.object.RemoteFrames.Wanted;
import io.faasimage.registry.store.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of a store that fails now and then. */
class RemoteFramesTest {
    @TempDir
    Path directory;

    /** The store, whose ranged reads with these numbers, from 1, fail. */
    private static BlobStore failing(BlobStore store, List<Integer> failures) {
        AtomicInteger reads = new AtomicInteger();
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals("read")
                            && arguments.length == 3
                            && failures.contains(reads.incrementAndGet())) {
                        throw new BlobsDownException("no connection is free", new IOException());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aRunThatCannotBeBegunAtOnceIsTriedAgain() throws Exception {
        byte[] first = AbstractBlobStoreTest.bytes(1000);
        byte[] second = AbstractBlobStoreTest.bytes(2000);
        try (BlobStore store = new DirectoryBlobs(directory)) {
            store.write(Blob.pack("first"), first);
            store.write(Blob.pack("second"), second);
            StoredObject one = new StoredObject(Digest.of(first), Blob.pack("first"), 0, 1000, 1000);
            StoredObject two = new StoredObject(Digest.of(second), Blob.pack("second"), 0, 2000, 2000);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (RemoteFrames frames = RemoteFrames.open(
                    failing(store, List.of(2, 3)), List.of(new Wanted(one, 0), new Wanted(two, 500)))) {
                frames.copy(one, 0, out);
                frames.copy(two, 500, out);
            }
            assertThat(out.toByteArray()).hasSize(2500).startsWith(first);
        }
    }
}
