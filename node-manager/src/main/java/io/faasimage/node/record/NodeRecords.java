package io.faasimage.node.record;

import io.faasimage.api.image.StartMode;
import io.faasimage.node.event.Events;
import io.faasimage.node.outbox.Outbox;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.span.StartSpans;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The node's records and heartbeat, put together. {@link #close} ends both; what is not sent stays on the disk. */
public final class NodeRecords implements AutoCloseable {
    private final Parts parts;
    private final StartJournal journal;
    private final StartRecorder recorder;
    private Optional<Heartbeat> heartbeat = Optional.empty();

    /**
     * What records are made of.
     *
     * @param root state directory
     * @param node name of this node
     * @param window how long a start is watched
     * @param usual when containers start whose functions do not say
     * @param store of objects
     * @param plans on this node
     * @param pulls of objects
     * @param link to the registry
     * @param spans of starts
     * @param events that happened
     * @param clock wall clock
     */
    public record Parts(
            Path root,
            String node,
            Duration window,
            StartMode usual,
            ObjectStore store,
            PlanStore plans,
            Pulls pulls,
            ServiceLink link,
            StartSpans spans,
            Events events,
            InstantSource clock) {}

    /** Opens what is on the disk and begins to send it. */
    public NodeRecords(Parts parts) throws IOException {
        this.parts = parts;
        this.journal = new StartJournal(
                StartJournal.below(parts.root()), parts.node(), parts.link(), parts.pulls(), parts.events());
        this.recorder = new StartRecorder(
                parts.window(),
                parts.plans(),
                parts.pulls(),
                new RecordBuilder(parts.plans(), parts.pulls(), parts.usual(), parts.events()),
                journal,
                parts.spans(),
                parts.events(),
                parts.clock());
    }

    /** What the other parts of the node tell of starts. */
    public StartRecorder recorder() {
        return recorder;
    }

    /** Where records wait for the registry. */
    public Outbox outbox() {
        return journal.outbox();
    }

    /**
     * Begins to tell of the node.
     *
     * @param pause between two reports
     * @param version of this program
     * @param mounts how planned images are mounted
     * @param problem why planned images are not used
     * @param storeBudget most bytes of objects in the capacity tier; 0 for no limit
     */
    public void beat(Duration pause, String version, String mounts, Optional<String> problem, long storeBudget) {
        Heartbeat beating = new Heartbeat(
                new Heartbeat.Parts(
                        parts.node(),
                        version,
                        mounts,
                        problem,
                        storeBudget,
                        parts.store(),
                        parts.plans(),
                        parts.pulls(),
                        parts.link(),
                        parts.events()),
                recorder,
                journal);
        heartbeat = Optional.of(beating);
        beating.start(pause);
    }

    @Override
    public void close() {
        heartbeat.ifPresent(Heartbeat::close);
        recorder.close();
        journal.close();
    }
}
