package io.faasimage.node.pull;

import io.faasimage.api.RegistryClient.ObjectContent;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RegistryDownException;
import io.faasimage.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Fetches objects that the streams of a segment did not bring, one request each, a few at the same time. */
final class SingleFetches {
    private final SegmentPull segment;
    private final PullLines lines;
    private volatile boolean registryDown;

    SingleFetches(SegmentPull segment, PullLines lines) {
        this.segment = segment;
        this.lines = lines;
    }

    /** Fetches at most as many as the configuration allows; waits for all of them. */
    void fetch(List<PlanObject> objects) {
        if (objects.isEmpty() || segment.aborted() != null) {
            return;
        }
        List<PlanObject> some =
                objects.subList(0, Math.min(objects.size(), lines.config().singles()));
        try (ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(some.size(), lines.config().singlesAtOnce()),
                Thread.ofVirtual().name("single-", 0).factory())) {
            some.forEach(object -> threads.execute(() -> fetch(object)));
        }
    }

    private void fetch(PlanObject object) {
        Backoff backoff = new Backoff(lines.config());
        String reason = "not tried";
        while (!registryDown && segment.aborted() == null && backoff.next()) {
            if (lines.sink().holds(object.digest())) {
                segment.held(object);
                return;
            }
            try {
                request(object);
                segment.published(object);
                return;
            } catch (StoreException e) {
                segment.stopped(e);
            } catch (RegistryDownException e) {
                reason = Events.reason(e);
                registryDown = lines.link().refusal().isPresent();
                segment.registryDown(reason);
            } catch (IOException e) {
                reason = Events.reason(e);
            }
        }
        if (!registryDown && segment.aborted() == null) {
            segment.failed(
                    object, "could not pull " + object.digest() + " in " + backoff.attempt() + " attempts: " + reason);
        }
    }

    private void request(PlanObject object) throws IOException {
        segment.countRequest();
        Optional<ObjectContent> content = lines.link().object(object.digest());
        if (content.isEmpty()) {
            throw new IOException("the registry does not have it");
        }
        lines.sink()
                .publish(
                        object,
                        segment.guarded(content.get().body()),
                        content.get().zstd());
    }
}
