package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * The starts of containers, as they begin with the snapshot of a root file system: reports them, and traces those whose
 * image wants a trace. Snapshots that are not containers' are ignored. Thread-safe.
 */
final class ContainerStarts {
    private static final System.Logger LOG = System.getLogger(ContainerStarts.class.getName());

    private final Ancestry ancestry;
    private final StartTracing tracing;
    private final StartEvents events;
    private final SnapshotSettings settings;

    ContainerStarts(Ancestry ancestry, StartTracing tracing, StartEvents events, SnapshotSettings settings) {
        this.ancestry = ancestry;
        this.tracing = tracing;
        this.events = events;
        this.settings = settings;
    }

    /** Reports that containerd requested {@code created}. */
    void requested(Snapshot created) {
        if (created.isContainer()) {
            Ancestry.Chains below = ancestry.chains(created);
            events.accept(new StartEvent.Requested(created.key(), below.all(), below.planned()));
        }
    }

    /** Reports the answer to containerd. */
    void mayStart(Snapshot created) {
        if (created.isContainer()) {
            events.accept(new StartEvent.MayStart(created.key()));
        }
    }

    /** Reports the refusal to containerd. */
    void refused(Snapshot created, Exception reason) {
        if (created.isContainer()) {
            events.accept(new StartEvent.Refused(created.key(), String.valueOf(reason.getMessage())));
        }
    }

    /** Reports that the layer {@code chain} is being unpacked: a start waits for it. */
    void unpackBegun(ChainId chain) {
        events.accept(new StartEvent.UnpackBegun(chain));
    }

    /** Reports that the layer that {@code active} was prepared for is unpacked. */
    void unpackEnded(Snapshot active) {
        active.chain().ifPresent(chain -> events.accept(new StartEvent.UnpackEnded(chain)));
    }

    /** The bind mount of a start that is being traced, or was. */
    Optional<Mount> tracedMount(String key) {
        return tracing.mounted(key).map(directory -> Mount.bind(directory, true));
    }

    /** Ends the trace of {@code snapshot}, which is removed or becomes a layer. */
    void end(Snapshot snapshot) {
        if (snapshot.kind() == SnapshotKind.ACTIVE) {
            tracing.removed(snapshot.key());
        }
    }

    /** The bind mount of the start of {@code created} when it is traced. */
    Optional<Mount> traced(Snapshot created, Mount mount) {
        if (!created.isContainer()) {
            return Optional.empty();
        }
        Optional<ChainId> image = ancestry.image(created);
        if (image.isEmpty() || !mount.type().equals("overlay") || mount.idMap().isPresent()) {
            return Optional.empty();
        }
        try {
            Mount own = OwnOverlay.isNeeded(mount) ? mount : settings.labelled(mount);
            return tracing.begin(created.key(), image.get(), own.options()).map(d -> Mount.bind(d, true));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the start of '" + created.key() + "' is not traced: " + e.getMessage(), e);
            return Optional.empty();
        }
    }
}
