package io.faasimage.cli.development;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.image.JobWait;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The plan of a new version of a function before its first start. Where the service has none, the trace of the version
 * before is sent as the new one's: by path, which is right for all files but those that only the new version reads;
 * these come on demand.
 */
final class InheritedPlan {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    /** Where the builder puts a function's code, whose files differ between versions. */
    private static final FilePath CODE = new FilePath("home/app/function");

    private final ServiceClient registry;
    /** The newest version that may have a trace. */
    private Optional<Digest> traced;

    /** Plans for versions after {@code before}, if there is one. */
    InheritedPlan(ServiceClient registry, Optional<Digest> before) {
        this.registry = registry;
        this.traced = before;
    }

    /** Waits until the version has a plan; without an earlier trace it has none, and its start is traced. */
    void await(Digest version) throws IOException {
        ImageInfo image = registry.image(version);
        if (image.state() == ImageState.UNTRACED) {
            Optional<Trace> trace = earlierTrace(image);
            if (trace.isPresent()) {
                JobInfo job = registry.postTrace(TraceCodec.encode(trace.get()));
                JobWait.untilDone(registry, job, LIMIT, Progress.none());
            }
        } else if (image.state() == ImageState.REFACTORING) {
            Optional<JobInfo> job = registry.jobs().stream()
                    .filter(queued -> queued.image().equals(version.toString()))
                    .findFirst();
            if (job.isPresent()) {
                JobWait.untilDone(registry, job.get(), LIMIT, Progress.none());
            }
        }
    }

    /** The version answers: it is the one whose trace the next ones get, unless it has none by then. */
    void started(Digest version) throws IOException {
        if (traced.isEmpty() || registry.image(version).traceRuns() > 0) {
            traced = Optional.of(version);
        }
    }

    private Optional<Trace> earlierTrace(ImageInfo image) throws IOException {
        if (traced.isEmpty()) {
            return Optional.empty();
        }
        try {
            Trace earlier = TraceCodec.decode(registry.trace(traced.get()));
            return Optional.of(inherited(earlier, ChainId.parse(image.chains().getLast())));
        } catch (ServiceException e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The trace as one start of the layers {@code chain}. */
    static Trace inherited(Trace earlier, ChainId chain) {
        List<TraceEntry> entries = new ArrayList<>();
        for (TraceEntry entry : earlier.entries()) {
            // Which bytes of the code were read says nothing about its new version.
            boolean hasRanges = entry.rangeRuns() > 0 && !entry.path().isAtOrBelow(CODE);
            entries.add(new TraceEntry(
                    entry.path(),
                    1,
                    entries.size(),
                    entry.firstAccessMicros(),
                    hasRanges ? 1 : 0,
                    hasRanges ? entry.ranges() : List.of()));
        }
        return new Trace(chain, 1, entries);
    }
}
