package io.faasimage.format.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArtifactHeadTest extends AbstractCodecTest<ArtifactHead> {
    private static final SignedDocument STATEMENT =
            new SignedDocument(new byte[] {1, 2, 3}, digest("key"), new byte[SignedDocument.SIGNATURE_BYTES]);
    private static final ArtifactPack BASE =
            new ArtifactPack(digest("base"), 1000, List.of(new FrameRun(7, 3, 0, 300), new FrameRun(0, 2, 310, 690)));
    private static final ArtifactPack FUNCTION =
            new ArtifactPack(digest("func"), 5, List.of(new FrameRun(10, 1, 0, 5)));
    private static final ArtifactHead HEAD = new ArtifactHead(
            STATEMENT,
            true,
            bytes("plan"),
            bytes("metadata"),
            List.of(new PrefixImage(digest("lower"), new BlobName(digest("blob"), 9))),
            List.of(BASE, FUNCTION));
    private static final ArtifactHead SMALLEST =
            new ArtifactHead(STATEMENT, false, bytes("p"), bytes("m"), List.of(), List.of());

    ArtifactHeadTest() {
        super(ArtifactHead::encode, ArtifactHead::decode, List.of(HEAD, SMALLEST));
    }

    private static Digest digest(String text) {
        return Digest.of(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void bytesNeverChange() {
        assertThat(Digest.of(HEAD.encode()))
                .hasToString("sha256:3d3842c79cfc44b72245e1b9dd56001807a81f38e5904978b9fa6e8dfc12ec82");
    }

    @Test
    void runsDoNotOverlapAndEndInTheirPack() {
        assertThatThrownBy(() ->
                        new ArtifactPack(digest("a"), 20, List.of(new FrameRun(0, 1, 0, 10), new FrameRun(1, 1, 9, 5))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ArtifactPack(digest("a"), 20, List.of(new FrameRun(0, 1, 15, 6))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(BASE.bytes()).isEqualTo(990);
    }

    @Test
    void namesOfBlobsAreReadAsTheyAreWritten() {
        BlobName name = new BlobName(digest("head"), 12);
        assertThat(BlobName.parse(name.toString())).contains(name);
        assertThat(BlobName.parse(digest("head").toString())).isEmpty();
        assertThat(BlobName.parse(digest("head") + "/0")).isEmpty();
        assertThat(BlobName.parse("head/12")).isEmpty();
    }
}
