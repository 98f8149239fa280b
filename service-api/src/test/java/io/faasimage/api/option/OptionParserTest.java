package io.faasimage.api.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionParserTest {
    private enum Sample implements Option {
        ROOT("--root", "DIR", "where the state is"),
        COUNT("--count", "N", "how many, " + "and many more words ".repeat(8)),
        HOST("--host", "NAME", "of another machine");

        private final String option;
        private final String value;
        private final String help;

        Sample(String option, String value, String help) {
            this.option = option;
            this.value = value;
            this.help = help;
        }

        @Override
        public String option() {
            return option;
        }

        @Override
        public String value() {
            return value;
        }

        @Override
        public String help() {
            return help;
        }

        @Override
        public boolean repeatable() {
            return this == HOST;
        }
    }

    private final OptionParser<Sample> parser = new OptionParser<>("sample", Sample.values());

    private OptionValues<Sample> parse(String... arguments) {
        return parser.parse(List.of(arguments));
    }

    private void assertMistake(String message, String... arguments) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(arguments)).withMessage(message);
    }

    @Test
    void valuesStandBehindASpaceOrAnEqualsSign() {
        OptionValues<Sample> values = parse("--root", "/a=b", "--count=3");
        assertThat(values.required(Sample.ROOT)).isEqualTo("/a=b");
        assertThat(values.number(Sample.COUNT, 1, 1, 9)).isEqualTo(3);
        assertThat(parse("--root=--count").text(Sample.ROOT)).contains("--count");
    }

    @Test
    void whatIsNotGivenHasADefault() {
        OptionValues<Sample> values = parse();
        assertThat(values.text(Sample.ROOT)).isEmpty();
        assertThat(values.text(Sample.ROOT, "/r")).isEqualTo("/r");
        assertThat(values.number(Sample.COUNT, 7, 1, 9)).isEqualTo(7);
        assertThat(values.all(Sample.HOST)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> values.required(Sample.ROOT))
                .withMessage("--root is missing");
    }

    @Test
    void aRepeatableOptionHasAllItsValuesAndTheLastCounts() {
        OptionValues<Sample> values = parse("--host", "a", "--host=b");
        assertThat(values.all(Sample.HOST)).containsExactly("a", "b");
        assertThat(values.text(Sample.HOST)).contains("b");
    }

    @Test
    void mistakesAreNamed() {
        assertMistake("unknown option '--colour'; see sample --help", "--colour", "red");
        assertMistake("unknown option '--cuont' (did you mean --count?); see sample --help", "--cuont=3");
        assertMistake("unknown option 'red'; see sample --help", "red");
        assertMistake("--root needs a value; see sample --help", "--count", "1", "--root");
        assertMistake("--root has an empty value; see sample --help", "--root=");
        assertMistake("--root is given twice; see sample --help", "--root", "a", "--root", "b");
        for (String wrong : List.of("0", "10", "many", "-1", "99999999999")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parse("--count", wrong).number(Sample.COUNT, 1, 1, 9))
                    .withMessage("--count must be 1 to 9, not '" + wrong + "'");
        }
    }

    @Test
    void theHelpHasAColumnForTheTexts() {
        assertThat(parser.help().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("usage: sample [OPTION VALUE]..."),
                        line -> assertThat(line).isEqualTo("  --root DIR                where the state is"),
                        line -> assertThat(line)
                                .startsWith("  --count N                 how many, and")
                                .hasSizeLessThan(121),
                        line -> assertThat(line)
                                .startsWith(" ".repeat(28) + "and")
                                .hasSizeLessThan(121),
                        line -> assertThat(line).isEqualTo("  --host NAME               of another machine"));
        assertThat(OptionParser.wantsHelp(List.of("--count", "1", "-h"))).isTrue();
        assertThat(OptionParser.wantsHelp(List.of("--root", "x"))).isFalse();
    }
}
