package io.faasimage.format.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerStatementTest extends AbstractCodecTest<LayerStatement> {
    private static final LayerStatement STATEMENT =
            new LayerStatement(Digest.of(new byte[] {1}), Digest.of(new byte[] {2}));

    LayerStatementTest() {
        super(LayerStatement::encode, LayerStatement::decode, List.of(STATEMENT));
    }

    @Test
    void bytesNeverChange() {
        assertThat(Digest.of(STATEMENT.encode()))
                .hasToString("sha256:2003c382cdc618e6d7be047c8c0762fd3fbc4a38b1e1c704f82aac69c35fb719");
    }
}
