package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotStoreTest {
    private static final int BLOCK = 4096;
    private static final int CHANGES = 120;
    private static final int CRASHES = 4;
    private static final int SEED = 1;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);

    /** Space is used again: a power cut may leave any of the blocks that a change writes, and none that others need. */
    @Test
    void aChangeThatIsTornByAPowerCutLeavesTheStateBeforeOrAfter() throws IOException {
        Path file = directory.resolve("snapshots.db");
        List<String> keys = new ArrayList<>();
        try (SnapshotStore store = SnapshotStore.open(file)) {
            for (int i = 0; i < CHANGES; i++) {
                byte[] before = Files.readAllBytes(file);
                Set<String> keysBefore = new TreeSet<>(keys);
                change(store, keys, i);
                byte[] after = Files.readAllBytes(file);
                for (int crash = 0; crash < CRASHES; crash++) {
                    Path torn = Files.write(directory.resolve("torn.db"), torn(before, after));
                    try (SnapshotStore read = SnapshotStore.open(torn)) {
                        assertThat(keys(read))
                                .as("change " + i + ", seed " + SEED)
                                .isIn(keysBefore, new TreeSet<>(keys));
                    }
                }
            }
        }
        assertThat(Files.size(file)).isLessThan(256 << 10);
    }

    private void change(SnapshotStore store, List<String> keys, int number) throws IOException {
        boolean removes = keys.size() > 20 && random.nextBoolean();
        String key = removes ? keys.remove(random.nextInt(keys.size())) : "ns/" + number + "/container";
        store.change(transaction -> {
            if (removes) {
                transaction.remove(key);
            } else {
                transaction.put(snapshot(transaction.nextId(), key));
                keys.add(key);
            }
            return key;
        });
    }

    private byte[] torn(byte[] before, byte[] after) {
        byte[] torn = Arrays.copyOf(before, after.length);
        for (int block = 0; block < after.length; block += BLOCK) {
            if (random.nextBoolean()) {
                System.arraycopy(after, block, torn, block, Math.min(BLOCK, after.length - block));
            }
        }
        return torn;
    }

    private static Set<String> keys(SnapshotStore store) {
        return store.all().stream().map(Snapshot::key).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Snapshot snapshot(long id, String key) {
        Instant now = Instant.EPOCH;
        return new Snapshot(
                id, key, "", SnapshotKind.ACTIVE, false, Optional.empty(), Map.of("a", "b"), now, now, Usage.NONE);
    }
}
