package io.faasimage.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void takesTheMiddleOfAnOddCount() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void takesTheMeanOfTheMiddleTwoOfAnEvenCount() {
        assertThat(Spread.of(List.of(10.0, 1.0, 4.0, 2.0))).isEqualTo(new Spread(3, 1, 10));
    }

    @Test
    void isTheValueItselfWhenThereIsOne() {
        assertThat(Spread.of(List.of(7.5))).isEqualTo(new Spread(7.5, 7.5, 7.5));
    }

    @Test
    void refusesNoValues() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
