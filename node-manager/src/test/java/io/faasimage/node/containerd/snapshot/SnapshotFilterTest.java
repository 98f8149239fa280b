package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotFilterTest {
    private static final Snapshot SNAPSHOT = new Snapshot(
            1,
            "ns/1/a b",
            "",
            SnapshotKind.ACTIVE,
            false,
            Optional.empty(),
            Map.of("containerd.io/gc.root", "now", "l", "sha256:ab"),
            Instant.EPOCH,
            Instant.EPOCH,
            Usage.NONE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "kind==active",
                "name==\"ns/1/a b\",parent==\"\"",
                "name~=/^ns\\/1/",
                "labels.l",
                "labels.l==sha256:ab",
                "labels.\"containerd.io/gc.root\"==now,kind!=view",
                "labels.none!=x"
            })
    void matches(String filter) {
        assertThat(SnapshotFilter.anyOf(List.of("kind==committed", filter)).test(SNAPSHOT))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kind==view", "labels.none", "parent!=\"\"", "name~=zzz", "other==x", "kind==active,labels.m==2"
            })
    void doesNotMatch(String filter) {
        assertThat(SnapshotFilter.anyOf(List.of(filter)).test(SNAPSHOT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "kind=", "kind==", "kind==\"x", "kind<1", "kind==a b", "name~=\"(\"", "=="})
    void refusesWhatIsNoFilter(String filter) {
        assertThatThrownBy(() -> SnapshotFilter.anyOf(List.of(filter)))
                .isInstanceOfSatisfying(
                        SnapshotException.class,
                        e -> assertThat(e.reason()).isEqualTo(SnapshotException.Reason.INVALID_ARGUMENT));
    }
}
