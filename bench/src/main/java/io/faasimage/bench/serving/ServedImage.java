package io.faasimage.bench.serving;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/**
 * An image with made-up contents that the service has refactored; all of them are in its prefetch list.
 *
 * @param name of the bundle
 * @param request for everything: plan, metadata image and all objects
 * @param bytes of the bundle
 */
record ServedImage(String name, BundleRequest request, long bytes) {
    private static final Duration REFACTORING_LIMIT = Duration.ofMinutes(5);
    private static final int LARGEST = 64 << 20;

    /**
     * Makes the image, has it refactored, and puts its bundle, as the service sends it, into the file server's
     * directory.
     */
    static ServedImage make(ServingConfig config, ServingConfig.Contents contents, ServiceClient client)
            throws IOException, InterruptedException {
        Path layout = config.imageDirectory().resolve(contents.name());
        List<TraceEntry> entries = new ArrayList<>();
        ChainId chain = new LayoutWriter(layout).write(tar -> fill(tar, contents, entries));
        FunctionInfo function = client.register(new FunctionRequest(contents.name(), "oci:" + layout, null, null));
        await(client, client.postTrace(TraceCodec.encode(new Trace(chain, 1, entries))));
        Digest plan = Digest.parse(
                String.valueOf(client.image(Digest.parse(function.digest())).plan()));
        BundleRequest request = new BundleRequest(
                null,
                null,
                plan.toString(),
                EnumSet.allOf(Segment.class).stream().map(Segment::label).toList(),
                true,
                true,
                BundleRequest.ObjectSet.STARTUP,
                List.of(),
                null,
                null,
                null,
                0);
        Path file = config.fileDirectory().resolve(contents.name());
        try (BundleStream bundle = client.bundle(request)) {
            Files.copy(bundle.body(), file, StandardCopyOption.REPLACE_EXISTING);
        }
        return new ServedImage(contents.name(), request, Files.size(file));
    }

    private static void fill(LayoutWriter.Tar tar, ServingConfig.Contents contents, List<TraceEntry> entries)
            throws IOException {
        Random random = new Random(contents.name().hashCode());
        for (int i = 0; i < contents.objects(); i++) {
            double size = contents.medianBytes() * Math.exp(contents.sigma() * random.nextGaussian());
            byte[] content = new byte[(int) Math.clamp(size, 1, LARGEST)];
            random.nextBytes(content);
            String path = "srv/%05d".formatted(i);
            tar.file(path, content);
            entries.add(TraceEntry.whole(FilePath.ofText(path), 1, i, 1000L * i));
        }
    }

    private static void await(ServiceClient client, JobInfo job) throws IOException, InterruptedException {
        long end = System.nanoTime() + REFACTORING_LIMIT.toNanos();
        JobInfo info = job;
        while (info.state() != JobInfo.State.DONE) {
            if (info.state() == JobInfo.State.FAILED || System.nanoTime() > end) {
                throw new IOException("the service did not refactor " + info + "; its log says why");
            }
            Thread.sleep(50);
            info = client.job(job.id());
        }
    }
}
