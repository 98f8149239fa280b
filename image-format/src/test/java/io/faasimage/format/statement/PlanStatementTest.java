package io.faasimage.format.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanStatementTest extends AbstractCodecTest<PlanStatement> {
    private static final ChainId BASE = ChainId.ofBase(digest("layer 0"));
    private static final List<Digest> IMAGES =
            Stream.of("one", "two").map(PlanStatementTest::digest).sorted().toList();
    private static final Instant MADE = Instant.ofEpochSecond(1_900_000_000L);
    private static final PlanStatement STATEMENT =
            new PlanStatement(digest("plan"), IMAGES, BASE.append(digest("layer 1")), "linux/arm64/ü", MADE);
    private static final PlanStatement SMALLEST =
            new PlanStatement(digest("plan"), List.of(digest("one")), BASE, "", Instant.EPOCH);

    PlanStatementTest() {
        super(PlanStatement::encode, PlanStatement::decode, List.of(STATEMENT, SMALLEST));
    }

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void bytesNeverChange() {
        assertThat(Digest.of(STATEMENT.encode()))
                .hasToString("sha256:05fd6fb02c0fd2f540eab1746ae47c3ad338a4717613f4a0ae6e73280ac09375");
        assertThat(Digest.of(SMALLEST.encode()))
                .hasToString("sha256:42630327feae15a14e8a7a3cee330fa7dc69f39134b8911eda672d02d91fd63b");
    }

    @Test
    void isOfOnePlanOnly() {
        PlanLayer layer = new PlanLayer(BASE, digest("metadata"), 4096);
        Plan plan = new Plan(digest("one"), digest("trace"), List.of(layer), List.of(), List.of(), List.of());
        Digest name = PlanCodec.digest(plan);
        PlanStatement statement = PlanStatement.of(name, plan, "linux/amd64", MADE.plusMillis(3));
        assertThat(statement.made()).isEqualTo(MADE);
        assertThat(statement.isOf(name, plan.image(), plan.topChain())).isTrue();
        assertThat(statement.isOf(digest("other"), plan.image(), BASE)).isFalse();
        assertThat(statement.isOf(name, digest("other"), BASE)).isFalse();
        assertThat(statement.isOf(name, plan.image(), BASE.append(digest("layer 1"))))
                .isFalse();
    }

    @Test
    void refusesWhatHasAnotherForm() {
        assertThatThrownBy(() -> new PlanStatement(digest("plan"), IMAGES.reversed(), BASE, "", MADE))
                .hasMessageContaining("not in order");
        assertThatThrownBy(() -> new PlanStatement(digest("plan"), List.of(), BASE, "", MADE))
                .hasMessageContaining("names 1 to 64 images");
        assertThatThrownBy(() -> new PlanStatement(digest("plan"), IMAGES, BASE, "", Instant.ofEpochMilli(1)))
                .hasMessageContaining("not in seconds");
    }
}
