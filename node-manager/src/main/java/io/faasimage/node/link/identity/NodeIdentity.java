package io.faasimage.node.link.identity;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.concurrent.Backoff;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.identity.IdentityFile.Draft;
import io.faasimage.node.link.identity.IdentityFile.Facts;
import io.faasimage.node.link.identity.IdentityFile.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The identity of this node at the service. It is obtained in exchange for an enrolment token, and renewed when half of
 * its life has passed. Another enrolment token in the operator's file makes the node enrol again. Requests present its
 * current token; there is none before the first enrolment. Thread-safe; one thread enrols and renews.
 */
public final class NodeIdentity implements Supplier<Optional<String>>, AutoCloseable {
    private static final String TOPIC = "identity";
    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(200);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    private final String node;
    private final Path enrolment;
    private final IdentityFile file;
    private final Function<String, ServiceClient> connect;
    private final Events events;
    private final InstantSource clock;
    private final Backoff retries = new Backoff(FIRST_RETRY, LOOK, RandomGenerator.getDefault());
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("identity").daemon().factory());
    private volatile Optional<Identity> identity;
    private String reported = "";

    /**
     * The identity in {@code file}, if the node has one.
     *
     * @param node name of this node
     * @param enrolment file with an enrolment token, which may be absent once the node has an identity
     * @param connect makes a client of the service with a token
     * @throws IOException when neither file can be used
     */
    public NodeIdentity(
            String node,
            Path enrolment,
            Path file,
            Function<String, ServiceClient> connect,
            Events events,
            InstantSource clock)
            throws IOException {
        this.node = node;
        this.enrolment = enrolment;
        this.file = new IdentityFile(file);
        this.connect = connect;
        this.events = events;
        this.clock = clock;
        this.identity = this.file.open();
        if (identity.isEmpty() && enrolmentToken().isEmpty()) {
            throw new IOException("the node is not enrolled, and " + enrolment + " has no token; create one with"
                    + " 'faasimage token create " + node + " --enrol' and put it into that file");
        }
        if (identity.isPresent() && !identity.get().facts().node().equals(node)) {
            throw new IOException(
                    file + " is the identity of node '" + identity.get().facts().node() + "', and this node is '" + node
                            + "'; set --node-name, or remove the file and enrol the node");
        }
    }

    /** Enrols now, if that is wanted, and looks after the identity from now on. */
    public NodeIdentity start() {
        look();
        return this;
    }

    @Override
    public Optional<String> get() {
        return identity.map(Identity::token);
    }

    private void look() {
        Duration pause;
        try {
            update();
            retries.reset();
            reported = "";
            pause = pause();
        } catch (ServiceException e) {
            String reason = e.detail().orElseGet(() -> Events.reason(e));
            // A server error's reason has another request number each time.
            report(reason, e.status() < 500 ? reason : "status " + e.status());
            pause = retries.next();
        } catch (IOException | RuntimeException e) {
            report(Events.reason(e), Events.reason(e));
            pause = retries.next();
        }
        if (!thread.isShutdown()) {
            var _ = thread.schedule(this::look, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Duration pause() {
        Duration pause = identity.map(
                        held -> Duration.ofSeconds(held.facts().seconds()).dividedBy(20))
                .orElse(LOOK);
        if (pause.compareTo(SHORTEST_LOOK) < 0) {
            return SHORTEST_LOOK;
        }
        return pause.compareTo(LOOK) < 0 ? pause : LOOK;
    }

    /** Once while {@code key} stays the same. */
    private void report(String reason, String key) {
        String what = identity.isEmpty() ? "could not enrol this node" : "could not enrol again or renew the identity";
        if (!key.equals(reported)) {
            events.fallback(TOPIC, what + ": " + reason);
        }
        reported = key;
    }

    private void update() throws IOException {
        Optional<Identity> held = identity;
        boolean due =
                held.isPresent() && !clock.instant().isBefore(held.get().facts().due());
        try {
            if (enrol(held)) {
                return;
            }
        } catch (IOException e) {
            // A useless enrolment token must not keep the node from renewing its identity.
            if (!due) {
                throw e;
            }
            report(Events.reason(e), Events.reason(e));
        }
        if (due) {
            renew(held.get());
        }
    }

    /**
     * Where the operator's file has a token of Kubernetes, that is exchanged again if the identity was revoked or has
     * expired: the cluster vouches for the node anew.
     */
    private void renew(Identity held) throws IOException {
        try {
            exchange(held.token(), held.facts().enrolment(), false);
            events.info(TOPIC, "renewed the identity of node " + node);
        } catch (ServiceException e) {
            Optional<String> token = enrolmentToken().filter(ServiceAccountToken::isOne);
            if (token.isEmpty() || e.status() != 401) {
                throw e;
            }
            exchange(token.get(), idOf(token.get()), true);
            events.info(TOPIC, "enrolled again as node " + node);
        }
    }

    /** Enrols with a token that was not used yet, if there is one. */
    private boolean enrol(Optional<Identity> held) throws IOException {
        Optional<String> token = enrolmentToken();
        if (token.isEmpty()
                || held.filter(known -> known.facts().enrolment().equals(idOf(token.get())))
                        .isPresent()) {
            return false;
        }
        exchange(token.get(), idOf(token.get()), true);
        events.info(TOPIC, "enrolled as node " + node);
        return true;
    }

    private void exchange(String token, String enrolmentId, boolean enrol) throws IOException {
        Draft draft = file.draft(clock);
        NodeKey key = new NodeKey(
                Digest.of(draft.secret().getBytes(StandardCharsets.US_ASCII)).toString());
        TokenInfo info;
        try (ServiceClient client = connect.apply(token)) {
            info = enrol ? client.tokens().enrol(node, key) : client.tokens().renew(node, key);
        }
        long seconds = Duration.between(info.created(), Objects.requireNonNull(info.expires()))
                .toSeconds();
        Identity next = new Identity(
                "fsi_" + info.id() + "_" + draft.secret(), new Facts(node, enrolmentId, draft.begun(), seconds));
        file.store(next);
        identity = Optional.of(next);
    }

    private Optional<String> enrolmentToken() throws IOException {
        try {
            return Optional.of(Files.readString(enrolment).strip()).filter(token -> !token.isEmpty());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * The part of a token that is no secret; the whole hashed if it has another form. Kubernetes replaces a service
     * account's token every hour, which is no other enrolment.
     */
    private static String idOf(String token) {
        if (ServiceAccountToken.isOne(token)) {
            return ServiceAccountToken.ENROLMENT;
        }
        String[] parts = token.split("_", 3);
        return parts.length == 3
                ? parts[1]
                : Digest.of(token.getBytes(StandardCharsets.UTF_8)).hex();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
