package io.faasimage.gate.fetch;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.util.Native;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** Objects from registry-service, compressed on the wire. */
public final class ServiceSource implements ObjectSource {
    private final ServiceClient registry;

    /** Objects from the service that {@code registry} is a client of. */
    public ServiceSource(ServiceClient registry) {
        this.registry = registry;
        // Now, rather than in the first look-up that a reader waits for.
        Native.load();
    }

    @Override
    public InputStream open(Digest digest, IntConsumer onBytes) throws IOException {
        ServiceClient.ObjectContent content = registry.object(digest);
        // Below the decompression, which returns nothing before it has a whole block: a long time on a slow link.
        InputStream wire = new WatchedStream(content.body(), onBytes);
        if (!content.zstd()) {
            return wire;
        }
        try {
            return new ZstdInputStream(wire);
        } catch (IOException | RuntimeException | Error e) {
            content.close();
            throw e;
        }
    }

    @Override
    public boolean isServing() {
        return registry.serving();
    }
}
