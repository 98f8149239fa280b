package io.faasimage.node.record;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartSigns.Arrival;
import io.faasimage.node.start.StartSigns.Container;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A start that goes on: what was seen of it so far. Times are nanoseconds of the monotonic clock. Guarded by the
 * recorder's lock.
 */
final class OpenStart {
    private static final int MOST_DEMANDS = 4096;

    private final String id;
    private final Container container;
    private final Optional<StoredPlan> plan;
    private final Optional<Arrival> arrival;
    private final long begin;
    private final Instant at;
    private final boolean unpacked;
    private final Optional<String> ordinary;
    private final StartSpans.Start spans;
    private final long asked;
    private final List<Demanded> demands = new ArrayList<>();
    private OptionalLong mounted = OptionalLong.empty();
    private OptionalLong mayStart = OptionalLong.empty();
    private OptionalLong created = OptionalLong.empty();
    private OptionalLong firstProcess = OptionalLong.empty();
    private OptionalLong ready = OptionalLong.empty();
    private Optional<String> failure = Optional.empty();
    private OptionalLong failedAt = OptionalLong.empty();
    private boolean traced;
    private boolean answered;

    /**
     * A container's root file system is asked for.
     *
     * @param plan that it starts from; empty for an ordinary image
     * @param arrival of the plan, when this start is the first after it
     * @param begin of the start
     * @param at the same by the wall clock
     * @param unpacked whether layers were unpacked for it
     * @param ordinary why the image is an ordinary one, if that is known
     * @param spans of the start
     * @param asked when the container was asked for
     */
    OpenStart(
            Container container,
            Optional<StoredPlan> plan,
            Optional<Arrival> arrival,
            long begin,
            Instant at,
            boolean unpacked,
            Optional<String> ordinary,
            StartSpans.Start spans,
            long asked) {
        this(
                container,
                plan,
                arrival,
                begin,
                at,
                unpacked,
                ordinary,
                spans,
                asked,
                UUID.randomUUID().toString());
    }

    private OpenStart(
            Container container,
            Optional<StoredPlan> plan,
            Optional<Arrival> arrival,
            long begin,
            Instant at,
            boolean unpacked,
            Optional<String> ordinary,
            StartSpans.Start spans,
            long asked,
            String id) {
        this.id = id;
        this.container = container;
        this.plan = plan;
        this.arrival = arrival;
        this.begin = begin;
        this.at = at;
        this.unpacked = unpacked;
        this.ordinary = ordinary;
        this.spans = spans;
        this.asked = asked;
    }

    void mounted(long nanos) {
        mounted = OptionalLong.of(nanos);
    }

    void mayStart(long nanos) {
        mayStart = OptionalLong.of(nanos);
    }

    void failed(String reason, long nanos) {
        failure = Optional.of(reason);
        failedAt = OptionalLong.of(nanos);
    }

    void tracing() {
        traced = true;
    }

    void traced(OptionalLong process, OptionalLong answer) {
        traced = false;
        if (answer.isPresent()) {
            ready = answer;
            answered = true;
        }
        if (process.isPresent()) {
            firstProcess = process;
        }
    }

    /**
     * A port began to be listened on, or it is not known whether one is; an answer to a readiness probe is more exact.
     */
    void listens(OptionalLong nanos) {
        ready = answered ? ready : nanos;
    }

    /** containerd told of it; what a trace saw is more exact. */
    void created(long nanos) {
        created = created.isPresent() ? created : OptionalLong.of(nanos);
    }

    /** As above. */
    void firstProcess(long nanos) {
        firstProcess = firstProcess.isPresent() ? firstProcess : OptionalLong.of(nanos);
    }

    void demanded(Demanded demanded) {
        if (demands.size() < MOST_DEMANDS) {
            demands.add(demanded);
        }
    }

    /** A copy that changes no more. */
    OpenStart frozen() {
        OpenStart copy = new OpenStart(container, plan, arrival, begin, at, unpacked, ordinary, spans, asked, id);
        copy.demands.addAll(demands);
        copy.mounted = mounted;
        copy.mayStart = mayStart;
        copy.created = created;
        copy.firstProcess = firstProcess;
        copy.ready = ready;
        copy.failure = failure;
        return copy;
    }

    String id() {
        return id;
    }

    Container container() {
        return container;
    }

    Optional<ChainId> chain() {
        return container.layers().stream().findFirst();
    }

    Optional<StoredPlan> plan() {
        return plan;
    }

    Optional<Arrival> arrival() {
        return arrival;
    }

    long begin() {
        return begin;
    }

    Instant at() {
        return at;
    }

    boolean isUnpacked() {
        return unpacked;
    }

    Optional<String> ordinary() {
        return ordinary;
    }

    List<Demanded> demands() {
        return demands;
    }

    OptionalLong mounted() {
        return mounted;
    }

    OptionalLong mayStart() {
        return mayStart;
    }

    OptionalLong created() {
        return created;
    }

    OptionalLong firstProcess() {
        return firstProcess;
    }

    OptionalLong ready() {
        return ready;
    }

    Optional<String> failure() {
        return failure;
    }

    OptionalLong failedAt() {
        return failedAt;
    }

    StartSpans.Start spans() {
        return spans;
    }

    long asked() {
        return asked;
    }

    /** Whether its trace goes on. */
    boolean isTraced() {
        return traced;
    }
}
