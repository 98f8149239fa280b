package io.faasimage.node.containerd.snapshot;

import java.util.List;
import java.util.Objects;

/** Texts of containerd's requests to a snapshotter, for the fuzzer: keys, labels, filters. */
public final class SnapshotTexts {
    private SnapshotTexts() {}

    /** Reads one text as each of them. */
    public static void parse(String text) {
        SnapshotKey.ofClient(text);
        SnapshotKey.isExtraction(text);
        SnapshotKey.chain(text, text);
        try {
            SnapshotFilter.anyOf(List.of(text));
        } catch (SnapshotException e) {
            Objects.requireNonNull(e.getMessage(), "refused without a reason");
        }
    }
}
