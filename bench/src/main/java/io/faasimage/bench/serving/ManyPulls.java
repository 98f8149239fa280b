package io.faasimage.bench.serving;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many pulls of one bundle that begin together, each by a client of its own, as nodes have it, every object unpacked
 * and hashed. They have a thread of the operating system each, so that none is left waiting while others run.
 */
final class ManyPulls {
    private final ServiceConfig service;
    private final PrintStream progress;

    ManyPulls(ServiceConfig service, PrintStream progress) {
        this.service = service;
        this.progress = progress;
    }

    /** Runs them; a pull that does not end well is reported and counted. */
    ServingResult.Pulls run(BundleRequest request, int count) throws InterruptedException {
        CountDownLatch together = new CountDownLatch(count);
        long begin = System.nanoTime();
        int failed = 0;
        long bytes = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<Long>> pulls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                pulls.add(threads.submit(() -> {
                    together.countDown();
                    together.await();
                    return pull(request);
                }));
            }
            for (Future<Long> pull : pulls) {
                try {
                    bytes += pull.get();
                } catch (ExecutionException e) {
                    failed++;
                    progress.println("a pull failed: " + e.getCause());
                }
            }
        }
        return new ServingResult.Pulls(count, failed, bytes, (System.nanoTime() - begin) / 1e9);
    }

    private long pull(BundleRequest request) throws IOException {
        try (ServiceClient client = new ServiceClient(service);
                BundleStream bundle = client.bundle(request)) {
            BundleReader reader = new BundleReader(bundle.body());
            for (Optional<Frame> next = reader.next(); next.isPresent(); next = reader.next()) {
                switch (next.get()) {
                    case Frame.ObjectFrame object -> check(object.payload(), object.digest());
                    // Starts read the files of these images as a whole: all frames come together.
                    case Frame.FramesFrame object -> check(object.payload(), object.digest());
                    case Frame.MetadataFrame metadata -> check(metadata.payload(), metadata.digest());
                    case Frame.ErrorFrame error -> throw new IOException("the service gave up: " + error.message());
                    case Frame.PlanDeltaFrame _, Frame.MetadataDeltaFrame _ ->
                        throw new IOException("the service sent a difference, although no plan was named");
                    // The reader itself checks them.
                    case Frame.PlanFrame _, Frame.SelectedFrame _, Frame.ChainsFrame _, Frame.EndFrame _ -> {}
                }
            }
            return bundle.length();
        }
    }

    private static void check(InputStream payload, Digest expected) throws IOException {
        try (ZstdInputStream raw = new ZstdInputStream(payload);
                DigestInputStream hashed = new DigestInputStream(raw, MessageDigest.getInstance("SHA-256"))) {
            hashed.transferTo(OutputStream.nullOutputStream());
            Digest digest = Digest.ofBytes(hashed.getMessageDigest().digest());
            if (!digest.equals(expected)) {
                throw new IOException("an object came as " + digest + " instead of " + expected);
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
