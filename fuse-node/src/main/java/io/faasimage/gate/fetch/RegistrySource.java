package io.faasimage.gate.fetch;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.util.Native;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryException;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Objects from registry-service, compressed on the wire. */
public final class RegistrySource implements ObjectSource {
    private static final int UNAUTHORIZED = 401;

    private final RegistryClient registry;
    private final RegistryToken token;

    /** Objects from the service that {@code registry} is a client of, with {@code token} as its token. */
    public RegistrySource(RegistryClient registry, RegistryToken token) {
        this.registry = registry;
        this.token = token;
        // Now, rather than in the first look-up that somebody waits for.
        Native.load();
    }

    @Override
    public InputStream open(Digest digest, Runnable onBytes) throws IOException {
        RegistryClient.ObjectContent content = request(digest);
        // Below the decompression, which gives nothing before it has a whole block: a long time on a slow link.
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

    /** Asks once more when the token was refused and has been replaced. */
    private RegistryClient.ObjectContent request(Digest digest) throws IOException {
        Optional<String> used = token.value();
        try {
            return registry.object(digest);
        } catch (RegistryException e) {
            if (e.status() == UNAUTHORIZED && token.rereadAfter(used)) {
                return registry.object(digest);
            }
            throw e;
        }
    }
}
