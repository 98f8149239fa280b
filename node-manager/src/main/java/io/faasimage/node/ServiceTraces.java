package io.faasimage.node;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.image.ChainInfo.ChainImage;
import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.starts.trace.RegisteredReadiness;
import io.faasimage.node.starts.trace.TraceDelivery;
import io.faasimage.node.starts.trace.TraceLimits;
import io.faasimage.node.starts.trace.TracePolicy;
import io.faasimage.node.starts.trace.TraceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The service as the tracer sees it: it decides which starts are traced, and receives the traces. Thread-safe. */
final class ServiceTraces implements TracePolicy, TraceDelivery, RegisteredReadiness {
    private final ServiceLink link;
    private final PlannedImages plans;
    private final RangeTraces ranges;
    private final Events events;
    private final Duration limit;

    ServiceTraces(ServiceLink link, PlannedImages plans, RangeTraces ranges, Events events, Duration limit) {
        this.link = link;
        this.plans = plans;
        this.ranges = ranges;
        this.events = events;
        this.limit = limit;
    }

    @Override
    public Optional<TraceRequest> wanted(String key, ChainId chain) {
        if (plans.isTracedHere(chain)) {
            return ranges.next(chain);
        }
        try {
            return ask(chain).flatMap(ServiceTraces::request);
        } catch (IOException e) {
            events.fallback("trace", "the start of " + key + " is not traced: " + Events.reason(e));
            return Optional.empty();
        }
    }

    /** A container's start waits for this, so the answer's body has a limit as well. */
    private Optional<ChainInfo> ask(ChainId chain) throws IOException {
        link.checkThere();
        try {
            return TimedCall.run("trace-wanted", limit, () -> link.chain(chain));
        } catch (TimedCall.Late e) {
            throw new IOException("the service did not answer within " + limit.toMillis() + " ms", e);
        }
    }

    private static Optional<TraceRequest> request(ChainInfo info) {
        return info.images().stream()
                .filter(image -> image.top() && image.traceWanted())
                .findFirst()
                .map(ServiceTraces::request);
    }

    @Override
    public Optional<Readiness> of(ChainId chain, Digest manifest) throws IOException {
        return ask(chain).stream()
                .flatMap(info -> info.images().stream())
                .filter(image -> image.digest().equals(manifest.toString()))
                .findFirst()
                .map(ChainImage::readiness);
    }

    private static TraceRequest request(ChainImage image) {
        return new TraceRequest(Optional.ofNullable(image.readiness()), TraceLimits.DEFAULT, TraceRequest.Detail.FILES);
    }

    @Override
    public Outcome deliver(Trace trace) throws IOException {
        if (!link.hasService()) {
            return Outcome.REFUSED;
        }
        try {
            if (!link.postTrace(TraceCodec.encode(trace))) {
                return Outcome.REFUSED;
            }
            return Outcome.ACCEPTED;
        } catch (ServiceException e) {
            // A failure that can be retried comes as another exception.
            events.error("trace", "the service rejected a trace: " + e.getMessage());
            return Outcome.REFUSED;
        }
    }
}
