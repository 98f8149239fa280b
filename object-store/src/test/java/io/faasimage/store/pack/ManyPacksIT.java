package io.faasimage.store.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.store.pack.Packs.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects found in many packs. Needs root and Linux 6.15. {@code -Dfaasimage.packs=500 -Dfaasimage.objects=4000} is a
 * large node; how long its packs take to open is printed.
 */
@Timeout(300)
class ManyPacksIT {
    private static final int PACKS = Integer.getInteger("faasimage.packs", 20);
    private static final int OBJECTS = Integer.getInteger("faasimage.objects", 200);

    @TempDir
    Path temp;

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(temp.toRealPath())) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private Packs open() throws IOException {
        return Packs.open(temp.toRealPath().resolve("packs"), Optional.empty());
    }

    /** The first object of a pack is the last one of the pack before it. */
    private static Digest digest(int pack, int object) {
        long number = (long) pack * (OBJECTS - 1) + object;
        return new Digest(number * 0x9e37_79b9_7f4a_7c15L, number, 0, 0);
    }

    private static void add(Packs packs, int pack) throws IOException {
        packs.add(
                "pack" + pack + "-",
                IntStream.range(0, OBJECTS)
                        .mapToObj(object -> packed(digest(pack, object)))
                        .toList());
    }

    private static PackedObject packed(Digest digest) {
        return new PackedObject(digest, 1, ObjectFrames.of(1, List.of(new ObjectFrames.Frame(10, digest))));
    }

    private void assertFound(Packs packs, int first) {
        for (int pack = 0; pack < PACKS; pack++) {
            for (int object = 0; object < OBJECTS; object++) {
                boolean isShared = object == OBJECTS - 1 && pack < PACKS - 1;
                int expected = pack + (isShared ? 1 : 0);
                Optional<String> found =
                        packs.find(digest(pack, object)).map(Place::pack).map(Pack::name);
                assertThat(found).isEqualTo(expected < first ? Optional.empty() : Optional.of("pack" + expected + "-"));
            }
        }
    }

    @Test
    void anObjectIsFoundInTheNewestPack() throws IOException {
        try (Packs packs = open()) {
            for (int pack = 0; pack < PACKS; pack++) {
                add(packs, pack);
            }
            assertFound(packs, 0);
        }
        long begin = System.nanoTime();
        try (Packs packs = open()) {
            System.out.println(PACKS + " packs of " + OBJECTS + " objects opened in "
                    + (System.nanoTime() - begin) / 1_000_000 + " ms");
            assertFound(packs, 0);
            assertThat(packs.find(new Digest(1, 2, 3, 4))).isEmpty();
            long later = System.nanoTime();
            packs.all().stream().limit(PACKS / 2).forEach(Pack::use);
            packs.removeEmpty(later);
            assertFound(packs, PACKS - PACKS / 2);
        }
    }
}
