package io.faasimage.registry.start;

import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.config.DatabaseSettings;
import io.faasimage.registry.config.HistorySettings;
import io.faasimage.registry.feedback.MissLearning;
import io.faasimage.registry.image.ImageFunctions;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.rollup.RollUp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** The starts that nodes reported. Thread-safe. */
@Service
public class Starts implements AutoCloseable {
    /** How far a node's clock may be ahead. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private final StartRecordTable records;
    private final UncountedStarts uncounted;
    private final StartHours hours;
    private final StartProfiles profiles;
    private final FullMedians medians;
    private final RollUp rollUp;
    private final ImageTable images;
    private final ImageFunctions functions;
    private final HistorySettings settings;
    private final MissLearning misses;
    private final TransactionOperations transaction;
    private final Clock clock;

    Starts(
            StartRecordTable records,
            UncountedStarts uncounted,
            StartHours hours,
            StartProfiles profiles,
            FullMedians medians,
            ImageTable images,
            ImageFunctions functions,
            HistorySettings settings,
            DatabaseSettings database,
            MissLearning misses,
            TransactionOperations transaction,
            Clock clock) {
        this.records = records;
        this.uncounted = uncounted;
        this.hours = hours;
        this.profiles = profiles;
        this.medians = medians;
        this.images = images;
        this.functions = functions;
        this.settings = settings;
        this.misses = misses;
        this.transaction = transaction;
        this.clock = clock;
        this.rollUp = new RollUp("starts", uncounted, database.uncounted());
    }

    /**
     * Takes what a node reports; each record is kept and counted once, however often it comes. Sums have it a moment
     * later.
     */
    public StartBatch.Taken add(String node, List<StartRecord> batch) {
        rollUp.admit();
        misses.admit();
        Instant now = clock.instant();
        Instant oldest = now.minus(settings.startsFor());
        List<StartRecord> timely = batch.stream()
                .filter(record ->
                        record.startedAt().isAfter(oldest) && record.startedAt().isBefore(now.plus(AHEAD)))
                .toList();
        Lookups lookups = new Lookups();
        List<StartSummary> summaries =
                timely.stream().map(record -> summary(node, record, lookups)).toList();
        int added = Objects.requireNonNull(transaction.execute(status -> {
            List<StartRecord> fresh = new ArrayList<>();
            for (int i = 0; i < summaries.size(); i++) {
                if (records.add(summaries.get(i), now, timely.get(i))) {
                    fresh.add(timely.get(i));
                }
            }
            uncounted.add(fresh.stream().map(StartRecord::id).toList());
            misses.added(fresh);
            return fresh.size();
        }));
        rollUp.wake();
        misses.committed();
        return new StartBatch.Taken(added, timely.size() - added, batch.size() - timely.size());
    }

    /** Adds up now what has been taken, unless another service does. */
    public void settle() {
        rollUp.run();
    }

    /** How many starts wait to be added up. */
    public long uncounted() {
        return rollUp.waiting();
    }

    private StartSummary summary(String node, StartRecord record, Lookups lookups) {
        Optional<ImageRow> image = lookups.image(record);
        @Nullable String digest = image.map(row -> row.digest().toString()).orElse(record.image());
        @Nullable
        String function = image.flatMap(row -> lookups.function(row.digest(), record.function()))
                .orElse(null);
        @Nullable Long micros = record.totalMicros();
        boolean lazy = record.cold() && (record.kind() == StartKind.LAZY || record.kind() == StartKind.MISSES);
        Long bytes = record.bytes();
        return new StartSummary(
                record.id(),
                node,
                record.startedAt(),
                record.kind(),
                record.reason(),
                record.cold(),
                digest,
                image.map(ImageRow::name).orElse(record.reference()),
                function,
                micros,
                record.phases().ready(),
                bytes,
                lazy && bytes != null
                        ? image.map(row -> Math.max(0, row.compressedSize() - bytes))
                                .orElse(null)
                        : null,
                lazy && micros != null ? savedMicros(digest, function, micros) : null,
                record.coverage(),
                record.traceId(),
                record.demanded());
    }

    /** The images and functions of one batch, each looked up once. */
    private final class Lookups {
        private final Map<String, Optional<ImageRow>> rows = new HashMap<>();
        private final Map<Digest, List<String>> names = new HashMap<>();

        Optional<ImageRow> image(StartRecord record) {
            String image = record.image();
            String chain = record.chain();
            if (image != null) {
                return rows.computeIfAbsent(image, digest -> images.find(Digest.parse(digest)));
            }
            return chain == null
                    ? Optional.empty()
                    : rows.computeIfAbsent("chain " + chain, _ -> images.newestWithTop(ChainId.parse(chain)));
        }

        /** The function that the node named, or else the only one of the image. */
        Optional<String> function(Digest image, @Nullable String named) {
            List<String> of = names.computeIfAbsent(image, functions::names);
            return named != null
                    ? Optional.of(named).filter(of::contains)
                    : of.stream().findFirst().filter(f -> of.size() == 1);
        }
    }

    private @Nullable Long savedMicros(@Nullable String image, @Nullable String function, long micros) {
        Long whole = Stream.of(
                        Optional.ofNullable(function).map(StartHours.FUNCTION::concat),
                        Optional.ofNullable(image).map(StartHours.IMAGE::concat))
                .flatMap(Optional::stream)
                .map(medians::full)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return whole == null ? null : whole - micros;
    }

    /** A part of the list of those that are wanted, newest first. */
    public Page<StartSummary> list(StartQuery query) {
        return records.list(query);
    }

    /** One start. */
    public Optional<StartDetail> find(String id) {
        return id.indexOf('\0') >= 0 ? Optional.empty() : records.find(id);
    }

    /** The hours that had starts, oldest first. */
    public List<StartHour> series(SeriesQuery query) {
        return hours.series(query.scope(), query.from(), query.until());
    }

    /** All starts in this time, added up, as one hour; {@code node} null for all nodes. */
    public DaySum sum(@Nullable String node, Instant from, Instant until) {
        HourSum sum = hours.sum(node == null ? StartHours.ALL : StartHours.NODE + node, from, until);
        return new DaySum(sum.hour(), sum.all().compared());
    }

    /**
     * Starts of some hours.
     *
     * @param sum all of them
     * @param compared how many {@link StartHour#savedMicros} is about
     */
    public record DaySum(StartHour sum, long compared) {}

    /** Why the newest starts since {@code from} were full or refused; a few thousand at most. */
    public List<StartReason> reasons(Instant from) {
        return Stream.of(StartKind.FULL, StartKind.REFUSED)
                .flatMap(kind -> records.reasons(kind, from, 5000).stream())
                .toList();
    }

    /** Forgets what is too old or too much. */
    public void age() {
        Instant now = clock.instant();
        records.forget(now.minus(settings.startsFor()), settings.starts());
        hours.forget(now.minus(settings.hoursFor()));
        profiles.forget(now.minus(settings.hoursFor()));
    }

    @Override
    public void close() throws InterruptedException {
        rollUp.close();
    }
}
