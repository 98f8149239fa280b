package io.faasimage.node.agent.warmup;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.api.start.StartBatch;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanNumbers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A registry on the loopback interface that has one made-up plan. Ends with the close. */
final class Stage implements AutoCloseable {
    /** Objects that come with the plan; the others are requested. */
    private static final int FIRST = 100;

    private final HttpServer server;
    private final MadeUpPlan madeUp;

    Stage(MadeUpPlan madeUp) throws IOException {
        this.madeUp = madeUp;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/bundles", this::bundle);
        server.createContext("/v1/objects/", this::object);
        server.createContext("/v1/nodes/", Stage::report);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void bundle(HttpExchange exchange) throws IOException {
        try (exchange) {
            BundleRequest request =
                    Json.mapper().readValue(exchange.getRequestBody().readAllBytes(), BundleRequest.class);
            exchange.getResponseHeaders().set("Content-Type", MediaTypes.BUNDLE);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 64 << 10);
            BundleWriter writer = new BundleWriter(out);
            List<BundleRequest.Range> ranges = request.ranges();
            if (ranges == null) {
                PlanLayer layer = madeUp.plan().layers().getLast();
                writer.plan(PlanCodec.encode(madeUp.plan()));
                int first = new PlanNumbers(madeUp.plan()).number(FIRST, 0);
                writer.selected(Selection.ofIndexes(IntStream.range(0, first).toArray()));
                Path metadata = stored(layer.metadata());
                try (InputStream in = Files.newInputStream(metadata)) {
                    writer.metadata(layer.metadata(), layer.metadataSize(), Files.size(metadata), in);
                }
                frames(0, first, writer, out);
            } else {
                for (BundleRequest.Range range : ranges) {
                    frames(range.from(), range.to(), writer, out);
                }
            }
            writer.end();
            out.flush();
        }
    }

    /** Those of the prefetch list with these numbers. */
    private void frames(int from, int to, BundleWriter writer, OutputStream out) throws IOException {
        PlanNumbers numbers = new PlanNumbers(madeUp.plan());
        for (int number = from; number < to; ) {
            int index = numbers.object(number);
            ObjectFrames frames = madeUp.plan().prefetch().get(index).frames();
            int first = numbers.frame(number);
            int end = Math.min(frames.count(), first + to - number);
            int length = (int) (frames.end(end - 1) - frames.offset(first));
            Digest object = madeUp.plan().objects().get(index).digest();
            writer.framesHeader(object, first, length);
            try (InputStream in = Files.newInputStream(stored(object))) {
                in.skipNBytes(frames.offset(first));
                for (int frame = first; frame < end; frame++) {
                    out.write(in.readNBytes(frames.length(frame)));
                }
            }
            number += end - first;
        }
    }

    private void object(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Path frame = stored(new Digest(path.substring(path.lastIndexOf('/') + 1)));
            exchange.getResponseHeaders().set("Content-Encoding", "zstd");
            exchange.sendResponseHeaders(200, Files.size(frame));
            Files.copy(frame, exchange.getResponseBody());
        }
    }

    /** Records of starts, which are kept nowhere. */
    private static void report(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] taken = Json.mapper().writeValueAsBytes(new StartBatch.Taken(1, 0, 0));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, taken.length);
            exchange.getResponseBody().write(taken);
        }
    }

    private Path stored(Digest digest) {
        return Objects.requireNonNull(madeUp.stored().get(digest), () -> "not made up: " + digest);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
