package io.faasimage.bench.registry;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.plan.ObjectNumbers;
import io.faasimage.registry.plan.PlanIndex;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.roaringbitmap.RoaringBitmap;

/**
 * What a node lacks of an image of 84,000 objects when it holds 50 other plans of as many objects each, of which half
 * are the image's: the difference and its order. The bound is 10 ms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DeltaBenchmark {
    private static final int OBJECTS = 84_000;
    private static final int HELD = 50;

    private final Set<Segment> all = EnumSet.allOf(Segment.class);
    private final List<RoaringBitmap> held = new ArrayList<>();
    private PlanIndex wanted = PlanIndex.of(plan(List.of()), new ObjectNumbers());

    /** Makes the plans. */
    @Setup
    public void prepare() {
        Random random = new Random(84);
        ObjectNumbers numbers = new ObjectNumbers();
        List<PlanObject> image = objects(random, OBJECTS);
        wanted = PlanIndex.of(plan(image), numbers);
        for (int i = 0; i < HELD; i++) {
            List<PlanObject> other = new ArrayList<>(objects(random, OBJECTS / 2));
            for (int k = 0; k < OBJECTS / 2; k++) {
                other.add(image.get(random.nextInt(OBJECTS * 9 / 10)));
            }
            held.add(PlanIndex.setOf(other, numbers));
        }
    }

    private static List<PlanObject> objects(Random random, int count) {
        List<PlanObject> objects = new ArrayList<>(count);
        byte[] digest = new byte[Digest.BYTES];
        for (int i = 0; i < count; i++) {
            random.nextBytes(digest);
            Segment segment = i % 3 == 0 ? Segment.FUNC : Segment.BASE;
            objects.add(new PlanObject(Digest.ofBytes(digest), 1, segment, -1));
        }
        return objects;
    }

    private static Plan plan(List<PlanObject> objects) {
        Digest any = Digest.of(new byte[1]);
        return new Plan(any, any, List.of(new PlanLayer(new ChainId(any), any, 1)), List.of(), objects, objects.size());
    }

    /** The indexes of the objects that are missing. */
    @Benchmark
    public int[] missing() {
        return wanted.missing(all, 0, OBJECTS, held);
    }

    /** Runs the benchmark. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder().include(DeltaBenchmark.class.getName()).build()).run();
    }
}
