package io.faasimage.registry.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartTimesTest {
    @Test
    void percentilesAreWithinFivePercentOfTheTrueOnes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int size : new int[] {1, 2, 3, 19, 20, 21, 1000}) {
            long[] micros = random.longs(size, 1_000, 60_000_000).toArray();
            StartTimes times = new StartTimes();
            Arrays.stream(micros).forEach(times::add);
            Arrays.sort(micros);
            for (int percent : new int[] {50, 95, 100}) {
                int rank = Math.max(1, (size * percent + 99) / 100);
                assertThat((double) Objects.requireNonNull(times.percentile(percent)))
                        .as("seed %d, %d of %d", seed, percent, size)
                        .isCloseTo((double) micros[rank - 1], withinPercentage(5));
            }
        }
    }

    @Test
    void partsAddUpToTheWhole() {
        StartTimes whole = new StartTimes();
        StartTimes part = new StartTimes();
        for (long micros = 1; micros < 1_000_000; micros *= 3) {
            whole.add(micros);
            part.add(micros);
        }
        StartTimes sum = StartTimes.parse(part.toString());
        sum.add(part);
        whole.add(part);
        assertThat(sum).hasToString(whole.toString());
        assertThat(StartTimes.parse(sum.toString()).total()).isEqualTo(whole.total());
    }

    @Test
    void withoutStartsThereIsNoTime() {
        assertThat(StartTimes.parse("").percentile(50)).isNull();
        assertThat(new StartTimes()).hasToString("");
    }

    @Test
    void allTimesOfADayFitIntoTheirColumn() {
        StartTimes times = new StartTimes();
        for (double micros = 1; micros <= 86_400_000_000.0; micros *= 1.05) {
            times.add((long) micros);
        }
        assertThat(times.toString().length() + 300 * 9)
                .as("with counts of ten digits")
                .isLessThan(8000);
    }
}
