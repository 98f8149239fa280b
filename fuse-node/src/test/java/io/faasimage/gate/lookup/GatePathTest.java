package io.faasimage.gate.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GatePathTest {
    private static final Digest DIGEST = Digest.of(new byte[] {1});
    private static final String SHARD = DIGEST.hex().substring(0, 2);
    private static final String REST = DIGEST.hex().substring(2);

    private static GatePath at(String... names) {
        GatePath path = new GatePath.Directory(GatePath.ROOT);
        for (String name : names) {
            path = path instanceof GatePath.Directory(long node) ? GatePath.child(node, name) : new GatePath.Unknown();
        }
        return path;
    }

    @Test
    void objectsAreKnownByTheirPlace() {
        assertThat(at("fetch", SHARD, REST)).isEqualTo(new GatePath.Fetch(DIGEST));
        assertThat(at("verdict", SHARD, REST)).isEqualTo(new GatePath.Verdict(DIGEST));
    }

    @Test
    void everyDirectoryHasANumberOfItsOwn() {
        Set<GatePath> all = new HashSet<>(List.of(at(), at("fetch"), at("verdict")));
        for (int shard = 0; shard < 256; shard++) {
            all.add(at("fetch", "%02x".formatted(shard)));
            all.add(at("verdict", "%02x".formatted(shard)));
        }
        assertThat(all)
                .hasSize(515)
                .allMatch(path -> path instanceof GatePath.Directory(long node) && GatePath.isDirectory(node));
        assertThat(GatePath.isDirectory(0)).isFalse();
        assertThat(GatePath.isDirectory(4)).isFalse();
        assertThat(GatePath.isDirectory(1024)).isFalse();
        assertThat(GatePath.isDirectory(-1)).isFalse();
    }

    @Test
    void everythingElseIsUnknown() {
        for (GatePath path : List.of(
                at("other"),
                at("fetch", "0"),
                at("fetch", "0g"),
                at("fetch", "AA"),
                at("fetch", "000"),
                at("fetch", SHARD, REST.substring(1)),
                at("fetch", SHARD, REST.toUpperCase(java.util.Locale.ROOT) + "0"),
                at("verdict", SHARD, "probe"),
                GatePath.child(77, "fetch"))) {
            assertThat(path).isEqualTo(new GatePath.Unknown());
        }
    }
}
