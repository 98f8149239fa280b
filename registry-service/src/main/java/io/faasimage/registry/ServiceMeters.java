package io.faasimage.registry;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.images.feedback.MissLearning;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.job.JobTable;
import io.faasimage.registry.platform.span.Spans;
import io.faasimage.registry.store.bundle.BundleSender;
import io.faasimage.registry.store.bundle.BundleStreams;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The meters of the service: counters of its parts, and counts of jobs and images, which are queried once per scrape.
 */
@Component
class ServiceMeters implements MeterBinder {
    private static final String PREFIX = "faasimage.registry.";
    private static final double MILLIS = 1000;

    private final BundleSender bundles;
    private final BundleStreams streams;
    private final MissLearning misses;
    private final JobTable jobs;
    private final ImageTable images;
    private final Spans spans;
    private final Clock clock;

    ServiceMeters(
            BundleSender bundles,
            BundleStreams streams,
            MissLearning misses,
            JobTable jobs,
            ImageTable images,
            Spans spans,
            Clock clock) {
        this.bundles = bundles;
        this.streams = streams;
        this.misses = misses;
        this.jobs = jobs;
        this.images = images;
        this.spans = spans;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "bundles", "bundles sent whole", BundleSender.Counts::bundles);
        count(registry, "bundle.bytes", "bytes of bundles sent whole", BundleSender.Counts::bytes);
        count(
                registry,
                "bundles.broken",
                "bundles whose sending ended before they were whole",
                BundleSender.Counts::broken);
        FunctionCounter.builder(PREFIX + "bundles.refused", streams, BundleStreams::refused)
                .description("bundles refused because as many as allowed were being sent")
                .register(registry);
        Gauge.builder(PREFIX + "bundle.streams", streams, BundleStreams::taken)
                .description("bundles being sent")
                .register(registry);
        Gauge.builder(PREFIX + "bundle.streams.limit", streams, BundleStreams::limit)
                .description("bundles that can be sent at the same time")
                .register(registry);
        Gauge.builder(PREFIX + "uncounted", misses, MissLearning::uncounted)
                .description("starts whose misses wait to be counted")
                .register(registry);
        FunctionCounter.builder(PREFIX + "spans.lost", spans, Spans::lost)
                .description("spans that did not reach the collector")
                .register(registry);
        var groups = new Recent<>(jobs::groups, clock);
        for (JobInfo.State state : JobInfo.State.values()) {
            Gauge.builder(
                            PREFIX + "jobs",
                            () -> groups.get().containsKey(state)
                                    ? groups.get().get(state).count()
                                    : 0)
                    .description("refactor jobs that are remembered, by state")
                    .tag("state", label(state))
                    .register(registry);
        }
        for (JobInfo.State state : List.of(JobInfo.State.QUEUED, JobInfo.State.RUNNING)) {
            Gauge.builder(PREFIX + "job.oldest", () -> age(groups.get().get(state)))
                    .description("age of the oldest unfinished refactor job, by state; 0 without one")
                    .baseUnit("seconds")
                    .tag("state", label(state))
                    .register(registry);
        }
        var states = new Recent<>(images::states, clock);
        for (ImageState state : ImageState.values()) {
            Gauge.builder(PREFIX + "images", () -> states.get().getOrDefault(state, 0L))
                    .description("registered images, by state")
                    .tag("state", label(state))
                    .register(registry);
        }
    }

    private double age(JobTable.@Nullable Group group) {
        return group == null
                ? 0
                : Duration.between(group.oldest(), clock.instant()).toMillis() / MILLIS;
    }

    private void count(
            MeterRegistry registry, String name, String description, ToDoubleFunction<BundleSender.Counts> part) {
        FunctionCounter.builder(PREFIX + name, bundles, sender -> part.applyAsDouble(sender.counts()))
                .description(description)
                .register(registry);
    }

    private static String label(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** A value that is requested again when it is a second old: one scrape makes one request. Thread-safe. */
    private static final class Recent<T> {
        private static final Duration KEPT = Duration.ofSeconds(1);

        private final Supplier<T> source;
        private final Clock clock;
        private Instant until = Instant.MIN;
        private @Nullable T value;

        Recent(Supplier<T> source, Clock clock) {
            this.source = source;
            this.clock = clock;
        }

        synchronized T get() {
            T kept = value;
            if (kept == null || !clock.instant().isBefore(until)) {
                kept = source.get();
                value = kept;
                until = clock.instant().plus(KEPT);
            }
            return kept;
        }
    }
}
