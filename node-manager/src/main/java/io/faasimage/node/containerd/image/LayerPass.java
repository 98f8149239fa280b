package io.faasimage.node.containerd.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.layer.LayerException;
import io.faasimage.layer.LayerFiles;
import io.faasimage.layer.ReadThroughStream;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A pass over the layers of an image at its registry. For one thread. */
final class LayerPass {
    private static final int ATTEMPTS = 6;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final long LEAST_LIMIT = 1L << 30;
    /** Gzip makes at most some thousand bytes of one. */
    private static final long MOST_RATIO = 1100;

    private final OciRegistry registry;
    private final LackingObjects lacking;
    private final BooleanSupplier isNeeded;

    /** A pass that ends when it is not needed any more. */
    LayerPass(OciRegistry registry, LackingObjects lacking, BooleanSupplier isNeeded) {
        this.registry = registry;
        this.lacking = lacking;
        this.isNeeded = isNeeded;
    }

    /**
     * Reads the layers of an image; each has its digest, or fails the pass.
     *
     * @param topFirst whether what is wanted first is rather in the upper layers
     * @return whether they were read to their end
     */
    boolean over(ImageReference image, boolean topFirst) throws IOException {
        List<Descriptor> layers = new ArrayList<>(ImageDocuments.layers(registry, image));
        if (topFirst) {
            Collections.reverse(layers);
        }
        for (Descriptor layer : layers) {
            if (!isNeeded.getAsBoolean() || !read(image, layer)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether it was read to its end. */
    private boolean read(ImageReference image, Descriptor layer) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try (InputStream blob = registry.open(image, layer.digest())) {
                return read(layer, blob);
            } catch (OciException e) {
                boolean mayPass = e.kind() == OciException.Kind.UNAVAILABLE || e.kind() == OciException.Kind.SLOW;
                if (!mayPass || attempt == ATTEMPTS) {
                    throw e;
                }
                pause(FIRST_PAUSE.multipliedBy(1L << (attempt - 1)));
            } catch (LayerException e) {
                throw new IOException("layer " + layer.digest() + " cannot be read: " + e.getMessage(), e);
            }
        }
    }

    private boolean read(Descriptor layer, InputStream blob) throws IOException {
        MessageDigest hash = Digest.newSha256();
        InputStream hashed = new DigestInputStream(new Sized(blob, layer), hash);
        boolean isWhole = LayerFiles.read(
                hashed, "layer " + layer.digest(), Math.max(LEAST_LIMIT, layer.size() * MOST_RATIO), (size, file) -> {
                    lacking.take(size, file);
                    return isNeeded.getAsBoolean();
                });
        if (!isWhole) {
            return false;
        }
        // Tar ends before the blob does.
        byte[] rest = new byte[8192];
        while (hashed.read(rest) >= 0) {
            // Only hashed.
        }
        Digest digest = Digest.ofBytes(hash.digest());
        if (!digest.equals(layer.digest())) {
            throw new IOException("the registry sent " + digest + " as layer " + layer.digest());
        }
        return true;
    }

    /** A blob that fails where it should have ended. */
    private static final class Sized extends ReadThroughStream {
        private final Descriptor layer;
        private long left;

        Sized(InputStream blob, Descriptor layer) {
            super(blob);
            this.layer = layer;
            this.left = layer.size();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = in.read(buffer, offset, length);
            left -= Math.max(0, count);
            if (left < 0) {
                throw new IOException(
                        "the registry sent more than the " + layer.size() + " bytes of layer " + layer.digest());
            }
            return count;
        }
    }

    private static void pause(Duration pause) throws IOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a registry was away");
        }
    }
}
