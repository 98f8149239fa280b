package io.faasimage.bench.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PredictedShareTest {
    private static final long[] SIZES = {100, 200, 300, 400};

    @Test
    void bytesCountAndNotObjects() {
        PredictedShare share = PredictedShare.of(plan(1, 0, 3), plan(1, 3, 2));
        assertThat(share.coverage()).isEqualTo(400.0 / 700);
        assertThat(share.excess()).isEqualTo(100.0 / 700);
        assertThat(share.readBytes()).isEqualTo(700);
        assertThat(share.predictedBytes()).isEqualTo(500);
        assertThat(share.missedObjects()).isEqualTo(1);
    }

    @Test
    void plansOfDifferentImagesAreRefused() {
        assertThatThrownBy(() -> PredictedShare.of(plan(1, 0), plan(2, 0))).hasMessageContaining("different images");
        assertThatThrownBy(() -> PredictedShare.of(plan(1, 0), plan(1))).hasMessageContaining("read nothing");
    }

    /** A plan of four objects, of which those with these numbers are the prefetch list. */
    private static Plan plan(int image, int... startup) {
        List<PlanObject> objects = IntStream.concat(
                        Arrays.stream(startup),
                        IntStream.range(0, SIZES.length)
                                .filter(i -> Arrays.stream(startup).noneMatch(s -> s == i)))
                .mapToObj(i -> new PlanObject(digest(i), SIZES[i], Segment.FUNC, -1))
                .toList();
        return new Plan(
                digest(100 + image),
                digest(50),
                List.of(new PlanLayer(new ChainId(digest(60)), digest(61), 1)),
                List.of(),
                objects,
                objects.subList(0, startup.length).stream()
                        .map(object -> PrefetchObject.whole(
                                ObjectFrames.of(object.size(), List.of(new ObjectFrames.Frame(1, object.digest())))))
                        .toList());
    }

    private static Digest digest(int number) {
        return Digest.of(new byte[] {(byte) number});
    }
}
