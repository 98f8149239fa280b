package io.faasimage.api.span;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void readsWhatItWrites() {
        TraceParent sampled = new TraceParent(TRACE, SPAN, true);
        assertThat(sampled).hasToString("00-" + TRACE + "-" + SPAN + "-01");
        assertThat(TraceParent.parse(sampled.toString())).contains(sampled);
        assertThat(TraceParent.parse("00-" + TRACE + "-" + SPAN + "-02")).contains(new TraceParent(TRACE, SPAN, false));
    }

    @Test
    void readsWhatALaterVersionAdds() {
        assertThat(TraceParent.parse("cc-" + TRACE + "-" + SPAN + "-01-what-comes"))
                .contains(new TraceParent(TRACE, SPAN, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\nX-Other: 1",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void ignoresWhatIsNotOne(String header) {
        assertThat(TraceParent.parse(header)).isEmpty();
    }

    @Test
    void ignoresWhatIsTooLong() {
        assertThat(TraceParent.parse("01-" + TRACE + "-" + SPAN + "-01-" + "x".repeat(300)))
                .isEmpty();
    }

    @Test
    void aThreadWorksForOneSpanAtATime() {
        TraceParent outer = new TraceParent(TRACE, SPAN, true);
        TraceParent inner = new TraceParent(TRACE, "1234567890abcdef", true);
        assertThat(CurrentSpan.get()).isEmpty();
        CurrentSpan.run(Optional.of(outer), () -> {
            assertThat(CurrentSpan.get()).contains(outer);
            CurrentSpan.run(
                    Optional.of(inner), () -> assertThat(CurrentSpan.get()).contains(inner));
            CurrentSpan.run(
                    Optional.empty(), () -> assertThat(CurrentSpan.get()).contains(outer));
        });
        assertThat(CurrentSpan.get()).isEmpty();
    }
}
