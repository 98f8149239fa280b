package io.faasimage.node.link.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.statement.SignedDocument;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A registry service over loopback that answers bundles and objects from memory, and fails on request. */
public final class SmallService implements AutoCloseable {
    private volatile HttpServer server;
    private volatile int port;
    private final Map<Digest, Plan> plans = new LinkedHashMap<>();
    private final Map<Digest, byte[]> contents = new HashMap<>();
    private final Set<Digest> damaged = new HashSet<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    /** How many of the next answers with objects of a known plan are cut off in the middle. */
    public final AtomicInteger cuts = new AtomicInteger();
    /** Whether single objects are damaged as well. */
    public volatile boolean damagedSingly;
    /** How many more answers with single objects are damaged. */
    public final AtomicInteger damagedAnswers = new AtomicInteger();
    /** How many of the next bundle answers are refused as too many. */
    public final AtomicInteger busy = new AtomicInteger();
    /** How many of the next requests for objects by themselves are answered with {@link #failure}. */
    public final AtomicInteger objectFailures = new AtomicInteger();
    /** How many of the next requests for objects of a plan are answered with {@link #failure}. */
    public final AtomicInteger rangeFailures = new AtomicInteger();
    /** How many of the next requests for plans are answered with {@link #failure}. */
    public final AtomicInteger planFailures = new AtomicInteger();
    /** The status of failures. */
    public volatile int failure = 502;
    /** The Retry-After of failures, seconds; none when empty. */
    public volatile String retryAfter = "";
    /** Answers for objects by themselves wait for it. */
    public volatile CountDownLatch objectsHeldBack = new CountDownLatch(0);
    /** The most objects by themselves that were requested at a time. */
    public final AtomicInteger mostObjectsAtOnce = new AtomicInteger();

    private final AtomicInteger objectsNow = new AtomicInteger();
    private volatile @Nullable Digest failAt;
    /** Bytes of bundles sent. */
    public final AtomicLong sent = new AtomicLong();
    /** Statements that are sent with plans. */
    public final Map<Digest, SignedDocument> statements = new ConcurrentHashMap<>();
    /** Planned layers of images without a plan. */
    public final Map<Digest, List<ChainId>> shown = new ConcurrentHashMap<>();
    /** How many objects come with a plan. */
    public volatile int first;
    /** How it answers whether it is healthy. */
    public volatile int health = 200;
    /** How it answers whether it serves. */
    public volatile int serving = 200;
    /** How it answers reports of nodes. */
    public volatile int reports = 202;
    /** A permit per bundle answer; drained by a test that wants them to wait. */
    public final Semaphore gate = new Semaphore(Integer.MAX_VALUE);
    /** A permit per metadata image with the frames after it; drained by a test that wants them to wait. */
    public final Semaphore documents = new Semaphore(Integer.MAX_VALUE);

    /** Listens at a free port of the loopback interface. */
    public SmallService() throws IOException {
        server = listen(0);
        port = server.getAddress().getPort();
    }

    private HttpServer listen(int port) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        made.createContext("/v1/bundles", this::bundle);
        made.createContext("/v1/objects/", this::object);
        made.createContext("/v1/nodes/", exchange -> answer(exchange, reports));
        made.createContext("/v1/health", exchange -> answer(exchange, health));
        made.createContext("/actuator/health/serving", exchange -> answer(exchange, serving));
        made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        made.start();
        return made;
    }

    /** Serves again, at the same address, after a close. */
    public void reopen() throws IOException {
        server = listen(port);
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

    /** Answers a bundle whose turn this object is with an error, always. */
    public void failAt(Digest digest) {
        failAt = digest;
    }

    /** Knows this plan no more; its objects stay. */
    public void forget(SamplePlan sample) {
        plans.remove(sample.digest());
    }

    /** Sends this object damaged. */
    public void damage(Digest digest) {
        damaged.add(digest);
    }

    /** The requests, one line each: path, and for bundles "plan" or the ranges of objects. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** A link to it with a breaker of {@code pause}. */
    public ServiceLink link(Duration pause) {
        return link(pause, Duration.ofSeconds(5));
    }

    /** A link to it with a breaker of {@code pause} that waits {@code answer} for an answer. */
    public ServiceLink link(Duration pause, Duration answer) {
        ServiceConfig config = new ServiceConfig(address(), Optional.empty(), Duration.ofSeconds(2), answer);
        return new ServiceLink(new ServiceClient(config), new Breaker(pause, System::nanoTime), new RequestBudget());
    }

    /** A link that gets plans from {@code origin}. */
    ServiceLink link(PlanOrigin origin) {
        ServiceConfig config =
                new ServiceConfig(address(), Optional.empty(), Duration.ofSeconds(2), Duration.ofSeconds(5));
        return new ServiceLink(
                new ServiceClient(config),
                new Breaker(Duration.ofMinutes(1), System::nanoTime),
                new RequestBudget(),
                origin);
    }

    private void bundle(HttpExchange exchange) throws IOException {
        try (exchange) {
            BundleRequest request =
                    Json.mapper().readValue(exchange.getRequestBody().readAllBytes(), BundleRequest.class);
            requests.add("bundle " + describe(request));
            gate.acquireUninterruptibly();
            if (fails(request.ranges() == null ? planFailures : rangeFailures, exchange)) {
                return;
            }
            if (busy.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                exchange.sendResponseHeaders(429, -1);
                return;
            }
            Optional<Plan> plan = find(request);
            @Nullable List<ChainId> layers = request.image() == null ? null : shown.get(Digest.parse(request.image()));
            if (plan.isEmpty() && layers != null) {
                exchange.getResponseHeaders().set("Content-Type", MediaTypes.BUNDLE);
                exchange.sendResponseHeaders(200, 0);
                BundleWriter out = new BundleWriter(exchange.getResponseBody());
                out.chains(layers);
                out.end();
                return;
            }
            if (plan.isEmpty()) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            if (request.offset() > 0 && isListed(plan.get(), request)) {
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            int metadata = write(request, plan.get(), new BundleWriter(body), body);
            boolean cut = request.ranges() != null && cuts.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            byte[] bytes = cut ? Arrays.copyOf(body.toByteArray(), body.size() / 2 - 1_000) : body.toByteArray();
            sent.addAndGet(bytes.length);
            exchange.getResponseHeaders().set("Content-Type", MediaTypes.BUNDLE);
            exchange.getResponseHeaders()
                    .set(BundleStream.PLAN_HEADER, PlanCodec.digest(plan.get()).toString());
            SignedDocument statement = statements.get(PlanCodec.digest(plan.get()));
            if (statement != null && request.ranges() == null) {
                exchange.getResponseHeaders().set(BundleStream.STATEMENT_HEADER, statement.text());
            }
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

    /** Whether the first thing requested is a frame: frames come whole. */
    private static boolean isListed(Plan plan, BundleRequest request) {
        PlanNumbers numbers = new PlanNumbers(plan);
        return Objects.requireNonNull(request.ranges()).getFirst().from() < numbers.frames();
    }

    private boolean fails(AtomicInteger failures, HttpExchange exchange) throws IOException {
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
            return false;
        }
        if (!retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
        }
        exchange.sendResponseHeaders(failure, -1);
        return true;
    }

    private static String describe(BundleRequest request) {
        List<BundleRequest.Range> asked = request.ranges();
        if (asked == null) {
            return request.planWanted() ? "plan" : "which";
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
            PlanNumbers numbers = new PlanNumbers(plan);
            for (BundleRequest.Range range : request.ranges()) {
                for (int number = range.from(); number < range.to(); ) {
                    if (plan.objects().get(numbers.object(number)).digest().equals(failAt)) {
                        out.error("a file is damaged");
                        return metadata;
                    }
                    number = numbers.object(number) < plan.startupCount()
                            ? frames(plan, number, range.to(), out, raw)
                            : whole(plan, number, offset, out, raw);
                    offset = 0;
                }
            }
        }
        out.end();
        return metadata;
    }

    private int discover(BundleRequest request, Plan plan, BundleWriter out, ByteArrayOutputStream raw)
            throws IOException {
        if (request.planWanted()) {
            out.plan(PlanCodec.encode(plan));
        }
        int[] selected = selected(request, plan);
        if (selected.length > 0) {
            out.selected(Selection.ofIndexes(new PlanNumbers(plan).wanted(selected)));
        }
        int metadata = raw.size();
        if (request.metadataWanted()) {
            PlanLayer top = plan.layers().getLast();
            byte[] payload = payload(top.metadata());
            out.metadata(top.metadata(), top.metadataSize(), payload.length, new ByteArrayInputStream(payload));
        }
        for (int index : selected) {
            int first = new PlanNumbers(plan).number(index, 0);
            for (IndexRange read : plan.prefetch().get(index).wanted()) {
                frames(plan, first + read.from(), first + read.to(), out, raw);
            }
        }
        return metadata;
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

    /** An object beyond the prefetch list; answers the next number. */
    private int whole(Plan plan, int number, long offset, BundleWriter out, OutputStream raw) throws IOException {
        PlanObject object = plan.objects().get(new PlanNumbers(plan).object(number));
        byte[] payload = payload(object.digest());
        out.objectHeader(object.digest(), object.size(), payload.length, offset);
        raw.write(payload, (int) offset, payload.length - (int) offset);
        return number + 1;
    }

    /** Those frames of one object of the prefetch list that are before {@code to}; answers the next number. */
    private int frames(Plan plan, int number, int to, BundleWriter out, OutputStream raw) throws IOException {
        PlanNumbers numbers = new PlanNumbers(plan);
        int index = numbers.object(number);
        ObjectFrames frames = plan.prefetch().get(index).frames();
        int first = numbers.frame(number);
        int end = Math.min(frames.count(), first + to - number);
        Digest object = plan.objects().get(index).digest();
        int length = (int) (frames.end(end - 1) - frames.offset(first));
        out.framesHeader(object, first, length);
        raw.write(payload(object), (int) frames.offset(first), length);
        return number + end - first;
    }

    private byte[] payload(Digest digest) {
        byte[] payload = Objects.requireNonNull(contents.get(digest)).clone();
        if (damaged.contains(digest)) {
            payload[payload.length - 1] ^= 1;
        }
        return payload;
    }

    private void object(HttpExchange exchange) throws IOException {
        mostObjectsAtOnce.accumulateAndGet(objectsNow.incrementAndGet(), Math::max);
        try {
            objectsHeldBack.await();
            answerObject(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            objectsNow.decrementAndGet();
        }
    }

    private boolean isDamaged() {
        return damagedSingly || damagedAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private void answerObject(HttpExchange exchange) throws IOException {
        try (exchange) {
            String hex = exchange.getRequestURI().getPath().substring("/v1/objects/".length());
            requests.add("object " + hex);
            if (fails(objectFailures, exchange)) {
                return;
            }
            byte[] content = isDamaged() ? payload(new Digest(hex)) : contents.get(new Digest(hex));
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
