package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A snapshotter on an empty directory, with plans and traces that a test sets. */
abstract class AbstractSnapshotterTest {
    static final ChainId BASE = FakePlans.chain("base");
    static final ChainId TOP = FakePlans.chain("top");

    final FakePlans plans = new FakePlans();
    final FakeTracing tracing = new FakeTracing();

    @TempDir
    Path root;

    Snapshotter snapshotter;

    @BeforeEach
    void open() throws IOException {
        snapshotter = new Snapshotter(root, plans, tracing, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        snapshotter.close();
    }

    /** Claims a planned layer as containerd does; the key of the snapshot that stands for it. */
    String claim(String parent, ChainId chain) throws IOException {
        assertRefused(
                Reason.ALREADY_EXISTS,
                () -> snapshotter.prepare(
                        "ns/7/extract-1 " + chain, parent, Map.of(Snapshot.REF_LABEL, chain.toString())));
        return snapshotter.list().stream()
                .filter(s ->
                        s.remote() && s.parent().equals(parent) && s.chain().equals(Optional.of(chain)))
                .findAny()
                .orElseThrow()
                .key();
    }

    /** Makes an unpacked layer. */
    void ordinary(String key, String parent, String name) throws IOException {
        snapshotter.prepare(key, parent, Map.of());
        snapshotter.commit(name, key, "", Map.of());
    }

    static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Reason reason, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SnapshotException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }
}
