package io.faasimage.node.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.BundleRequest;
import io.faasimage.api.Json;
import io.faasimage.api.MediaTypes;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A registry service over loopback that answers bundles and objects from memory, and fails when told to. */
public final class SmallRegistry implements AutoCloseable {
    private final HttpServer server;
    private final Map<Digest, Plan> plans = new LinkedHashMap<>();
    private final Map<Digest, byte[]> contents = new HashMap<>();
    private final Set<Digest> damaged = new HashSet<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    /** How many of the next answers with objects of a known plan are cut off in the middle. */
    public final AtomicInteger cuts = new AtomicInteger();
    /** Whether single objects are damaged as well. */
    public volatile boolean damagedSingly;
    /** How many of the next bundle answers are refused as too many. */
    public final AtomicInteger busy = new AtomicInteger();
    /** Bytes of bundles sent. */
    public final AtomicLong sent = new AtomicLong();
    /** How many objects come with a plan. */
    public volatile int first;
    /** How it answers whether it is healthy. */
    public volatile int health = 200;
    /** How it answers whether it serves. */
    public volatile int serving = 200;
    /** A permit per bundle answer; drained by a test that wants them to wait. */
    public final Semaphore gate = new Semaphore(Integer.MAX_VALUE);
    /** A permit per metadata image and what comes after it; drained by a test that wants them to wait. */
    public final Semaphore documents = new Semaphore(Integer.MAX_VALUE);

    /** Listens at a free port of the loopback interface. */
    public SmallRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/bundles", this::bundle);
        server.createContext("/v1/objects/", this::object);
        server.createContext("/v1/health", exchange -> answer(exchange, health));
        server.createContext("/actuator/health/serving", exchange -> answer(exchange, serving));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, -1);
        }
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

    /** What was asked, one line each: path, and for bundles "plan" or the ranges of objects. */
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
        return new RegistryLink(new RegistryClient(config), new Breaker(pause, System::nanoTime), new RequestBudget());
    }

    private void bundle(HttpExchange exchange) throws IOException {
        try (exchange) {
            BundleRequest request =
                    Json.mapper().readValue(exchange.getRequestBody().readAllBytes(), BundleRequest.class);
            requests.add("bundle " + describe(request));
            gate.acquireUninterruptibly();
            if (busy.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                exchange.sendResponseHeaders(429, -1);
                return;
            }
            Optional<Plan> plan = find(request);
            if (plan.isEmpty()) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            int metadata = write(request, plan.get(), new BundleWriter(body), body);
            boolean cut = request.ranges() != null && cuts.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            byte[] bytes = cut ? Arrays.copyOf(body.toByteArray(), body.size() / 2 - 1_000) : body.toByteArray();
            sent.addAndGet(bytes.length);
            exchange.getResponseHeaders().set("Content-Type", MediaTypes.BUNDLE);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(bytes, 0, metadata);
            out.flush();
            if (metadata > 0) {
                documents.acquireUninterruptibly();
            }
            out.write(bytes, metadata, bytes.length - metadata);
        }
    }

    private static String describe(BundleRequest request) {
        List<BundleRequest.Range> asked = request.ranges();
        if (asked == null) {
            return "plan";
        }
        String ranges =
                asked.stream().map(range -> range.from() + "-" + range.to()).collect(Collectors.joining(","));
        return request.offset() == 0 ? ranges : ranges + " from " + request.offset();
    }

    private Optional<Plan> find(BundleRequest request) {
        return plans.entrySet().stream()
                .filter(e -> isAsked(request, e.getKey(), e.getValue()))
                .map(Map.Entry::getValue)
                .reduce((first, second) -> second);
    }

    private static boolean isAsked(BundleRequest request, Digest digest, Plan plan) {
        if (request.plan() != null) {
            return digest.toString().equals(request.plan());
        }
        if (request.image() != null) {
            return plan.image().toString().equals(request.image());
        }
        return plan.layers().stream()
                .anyMatch(layer -> layer.chainId().toString().equals(request.chain()));
    }

    /** Answers where a metadata image begins; 0 without one. */
    private int write(BundleRequest request, Plan plan, BundleWriter out, ByteArrayOutputStream raw)
            throws IOException {
        int metadata = 0;
        if (request.ranges() == null) {
            metadata = discover(request, plan, out, raw);
        } else {
            long offset = request.offset();
            for (BundleRequest.Range range : request.ranges()) {
                for (int i = range.from(); i < range.to(); i++) {
                    object(plan.objects().get(i), offset, out, raw);
                    offset = 0;
                }
            }
        }
        out.end();
        return metadata;
    }

    private int discover(BundleRequest request, Plan plan, BundleWriter out, ByteArrayOutputStream raw)
            throws IOException {
        if (isPrefix(request, plan)) {
            out.chains(plans.values().stream()
                    .flatMap(p -> p.layers().stream())
                    .map(PlanLayer::chainId)
                    .filter(chain ->
                            plans.values().stream().noneMatch(p -> p.topChain().equals(chain)))
                    .distinct()
                    .toList());
            if (plans.size() > 1) {
                return 0;
            }
        }
        if (request.planWanted()) {
            out.plan(PlanCodec.encode(plan));
        }
        int[] selected = isPrefix(request, plan) ? new int[0] : selected(request, plan);
        if (selected.length > 0) {
            out.selected(Selection.ofIndexes(selected));
        }
        int metadata = raw.size();
        if (request.metadataWanted()) {
            PlanLayer top = plan.layers().getLast();
            byte[] payload = payload(top.metadata());
            out.metadata(top.metadata(), top.metadataSize(), payload.length, new ByteArrayInputStream(payload));
        }
        for (int index : selected) {
            object(plan.objects().get(index), 0, out, raw);
        }
        return metadata;
    }

    private static boolean isPrefix(BundleRequest request, Plan plan) {
        return request.prefix() == BundleRequest.Prefix.CHAINS
                && request.chain() != null
                && !plan.topChain().toString().equals(request.chain());
    }

    private int[] selected(BundleRequest request, Plan plan) {
        Set<Digest> have = new HashSet<>();
        for (String held : request.have()) {
            Plan plain = plans.get(Digest.parse(held));
            if (plain != null) {
                plain.startup().forEach(object -> have.add(object.digest()));
            }
        }
        return IntStream.range(0, plan.startupCount())
                .filter(i -> request.segments()
                        .contains(plan.objects().get(i).segment().label()))
                .filter(i -> !have.contains(plan.objects().get(i).digest()))
                .limit(first)
                .toArray();
    }

    private void object(PlanObject object, long offset, BundleWriter out, OutputStream raw) throws IOException {
        byte[] payload = payload(object.digest());
        out.objectHeader(object.digest(), object.size(), payload.length, offset);
        raw.write(payload, (int) offset, payload.length - (int) offset);
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
