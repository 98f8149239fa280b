package io.faasimage.registry.functions.start;

import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.feedback.MissLearning;
import io.faasimage.registry.images.image.ImageFunctions;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.platform.config.HistorySettings;
import io.faasimage.registry.platform.span.Spans;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
public class Starts {
    /** The time by which a node's clock may be ahead. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private final StartRecordTable records;
    private final SavedTimes saved;
    private final ImageTable images;
    private final ImageFunctions functions;
    private final HistorySettings settings;
    private final MissLearning misses;
    private final Spans spans;
    private final TransactionOperations transaction;
    private final Clock clock;

    Starts(
            StartRecordTable records,
            SavedTimes saved,
            ImageTable images,
            ImageFunctions functions,
            HistorySettings settings,
            MissLearning misses,
            Spans spans,
            TransactionOperations transaction,
            Clock clock) {
        this.records = records;
        this.saved = saved;
        this.images = images;
        this.functions = functions;
        this.settings = settings;
        this.misses = misses;
        this.spans = spans;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Adds the records that a node reports; each record is kept once, however often it comes. */
    public StartBatch.Taken add(String node, List<StartRecord> batch) {
        misses.admit();
        Instant now = clock.instant();
        Instant oldest = now.minus(settings.startsFor());
        List<StartRecord> timely = batch.stream()
                .filter(record ->
                        record.startedAt().isAfter(oldest) && record.startedAt().isBefore(now.plus(AHEAD)))
                .toList();
        Lookups lookups = new Lookups();
        List<StartDetail> starts = timely.stream()
                .map(record -> new StartDetail(summary(node, record, lookups), now, record))
                .toList();
        List<StartDetail> added = Objects.requireNonNull(transaction.execute(status -> {
            List<StartDetail> fresh = starts.stream().filter(records::add).toList();
            misses.added(fresh.stream().map(StartDetail::record).toList());
            return fresh;
        }));
        misses.committed();
        added.forEach(start -> StartSpans.export(start, spans));
        return new StartBatch.Taken(added.size(), timely.size() - added.size(), batch.size() - timely.size());
    }

    private StartSummary summary(String node, StartRecord record, Lookups lookups) {
        Optional<ImageRow> image = lookups.image(record);
        @Nullable String digest = image.map(row -> row.digest().toString()).orElse(record.image());
        @Nullable
        String function = image.flatMap(row -> lookups.function(row.digest(), record.function()))
                .orElse(null);
        boolean lazy = record.cold() && (record.kind() == StartKind.LAZY || record.kind() == StartKind.MISSES);
        Long bytes = record.bytes();
        @Nullable
        Long savedBytes = lazy && bytes != null
                ? image.map(row -> Math.max(0, row.compressedSize() - bytes)).orElse(null)
                : null;
        Optional<SavedTimes.Saved> time = lazy ? saved.of(record, function, digest, savedBytes) : Optional.empty();
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
                record.totalMicros(),
                record.startMicros(),
                record.phases().ready(),
                bytes,
                savedBytes,
                time.map(SavedTimes.Saved::micros).orElse(null),
                time.filter(SavedTimes.Saved::estimated).isPresent(),
                record.coverage(),
                spans.traceId(record.id()).orElse(null),
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

    /** A part of the list of those that match the query, newest first. */
    public Page<StartSummary> list(StartQuery query) {
        return records.list(query);
    }

    /** One start. */
    public Optional<StartDetail> find(String id) {
        return id.indexOf('\0') >= 0 ? Optional.empty() : records.find(id);
    }

    /** The starts of a range, added up by hour. */
    public StartSeries series(StartRange range) {
        return StartSeries.of(range.from(), records.groups(range));
    }

    /** The number of starts of each class since {@code from}, by node. */
    public Map<String, Map<String, Long>> byNode(Instant from) {
        return records.byNode(from);
    }

    /** Why the newest starts since {@code from} were full or refused; a few thousand at most. */
    public List<StartReason> reasons(Instant from) {
        return Stream.of(StartKind.FULL, StartKind.REFUSED)
                .flatMap(kind -> records.reasons(kind, from, 5000).stream())
                .toList();
    }

    /** Removes records that are too old or too many. */
    public void age() {
        Instant now = clock.instant();
        records.forget(now.minus(settings.startsFor()), settings.starts());
    }
}
