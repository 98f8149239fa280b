package io.faasimage.node.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.BundleRequest;
import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.api.Json;
import io.faasimage.api.MediaTypes;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry service over loopback that answers bundles and objects from memory, and fails when told to. */
public final class SmallRegistry implements AutoCloseable {
    private final HttpServer server;
    private final Map<Digest, Plan> plans = new LinkedHashMap<>();
    private final Map<Digest, byte[]> contents = new HashMap<>();
    private final Set<Digest> damaged = new HashSet<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    /** How many of the next bundle answers are cut off in the middle. */
    public final AtomicInteger cuts = new AtomicInteger();
    /** Whether single objects are damaged as well. */
    public volatile boolean damagedSingly;
    /** A permit per bundle answer; drained by a test that wants them to wait. */
    public final Semaphore gate = new Semaphore(Integer.MAX_VALUE);

    /** Listens at a free port of the loopback interface. */
    public SmallRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/bundles", this::bundle);
        server.createContext("/v1/objects/", this::object);
        server.createContext("/v1/health", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** Serves this plan from now on. */
    public void add(SamplePlan sample) {
        plans.put(sample.digest(), sample.plan());
        contents.putAll(sample.compressed());
    }

    /** Sends this object damaged. */
    public void damage(Digest digest) {
        damaged.add(digest);
    }

    /** What was asked, one line each: path, and for bundles the segments. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** A link to it with a breaker of {@code pause}. */
    public RegistryLink link(Duration pause) {
        return link(pause, Duration.ofSeconds(5));
    }

    /** A link to it with a breaker of {@code pause} that waits {@code answer} for an answer. */
    public RegistryLink link(Duration pause, Duration answer) {
        RegistryConfig config = new RegistryConfig(address(), Optional.empty(), Duration.ofSeconds(2), answer);
        return new RegistryLink(new RegistryClient(config), new Breaker(pause, System::nanoTime));
    }

    private void bundle(HttpExchange exchange) throws IOException {
        try (exchange) {
            BundleRequest request =
                    Json.mapper().readValue(exchange.getRequestBody().readAllBytes(), BundleRequest.class);
            requests.add("bundle " + String.join(",", request.segments()));
            gate.acquireUninterruptibly();
            Optional<Plan> plan = find(request);
            if (plan.isEmpty()) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            write(request, plan.get(), new BundleWriter(body));
            boolean cut = !request.segments().isEmpty() && cuts.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            byte[] bytes = cut ? java.util.Arrays.copyOf(body.toByteArray(), body.size() / 2) : body.toByteArray();
            exchange.getResponseHeaders().set("Content-Type", MediaTypes.BUNDLE);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Optional<Plan> find(BundleRequest request) {
        return plans.entrySet().stream()
                .filter(e -> request.plan() != null
                        ? e.getKey().toString().equals(request.plan())
                        : e.getValue().layers().stream()
                                .anyMatch(layer -> layer.chainId().toString().equals(request.chain())))
                .map(Map.Entry::getValue)
                .reduce((first, second) -> second);
    }

    private void write(BundleRequest request, Plan plan, BundleWriter out) throws IOException {
        if (request.planWanted()) {
            out.plan(PlanCodec.encode(plan));
        }
        if (request.metadataWanted()) {
            PlanLayer top = plan.layers().getLast();
            byte[] payload = payload(top.metadata());
            out.metadata(top.metadata(), top.metadataSize(), payload.length, new ByteArrayInputStream(payload));
        }
        Set<Digest> have = new HashSet<>();
        for (String held : request.have()) {
            Plan plain = plans.get(Digest.parse(held));
            if (plain != null) {
                plain.startup().forEach(object -> have.add(object.digest()));
            }
        }
        for (PlanObject object : request.set() == ObjectSet.REST ? plan.rest() : plan.startup()) {
            if (request.segments().contains(object.segment().label()) && !have.contains(object.digest())) {
                byte[] payload = payload(object.digest());
                out.object(object.digest(), object.size(), payload.length, new ByteArrayInputStream(payload));
            }
        }
        out.end();
    }

    private byte[] payload(Digest digest) {
        byte[] payload = java.util.Objects.requireNonNull(contents.get(digest)).clone();
        if (damaged.contains(digest)) {
            payload[payload.length - 1] ^= 1;
        }
        return payload;
    }

    private void object(HttpExchange exchange) throws IOException {
        try (exchange) {
            String hex = exchange.getRequestURI().getPath().substring("/v1/objects/".length());
            requests.add("object " + hex);
            byte[] content = damagedSingly ? payload(new Digest(hex)) : contents.get(new Digest(hex));
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Encoding", "zstd");
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
