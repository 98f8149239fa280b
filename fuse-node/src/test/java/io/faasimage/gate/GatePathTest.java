package io.faasimage.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GatePathTest {
    private static final Digest DIGEST = Digest.of("x".getBytes(StandardCharsets.UTF_8));

    @Test
    void directories() {
        for (String path : List.of("/", "/fetch", "/verdict", "/fetch/00", "/verdict/ff")) {
            assertThat(GatePath.parse(path)).as(path).isEqualTo(new GatePath.Directory());
        }
    }

    @Test
    void objects() {
        assertThat(GatePath.parse("/fetch/" + DIGEST.objectPath())).isEqualTo(new GatePath.Fetch(DIGEST));
        assertThat(GatePath.parse("/verdict/" + DIGEST.objectPath())).isEqualTo(new GatePath.Verdict(DIGEST));
    }

    @Test
    void anythingElseIsUnknown() {
        String object = DIGEST.objectPath();
        for (String path : List.of(
                "",
                "//",
                "/other",
                "/fetch/",
                "/fetch/0",
                "/fetch/0g",
                "/fetch/AA",
                "/fetch/000",
                "/other/" + object,
                "/fetch/" + object + "0",
                "/fetch/" + object.substring(0, 60),
                "/fetch/" + object.toUpperCase(java.util.Locale.ROOT),
                "/fetch/" + object + "/x",
                "/fetch/00/" + "é".repeat(62),
                "fetch/" + object)) {
            assertThat(GatePath.parse(path)).as(path).isEqualTo(new GatePath.Unknown());
        }
    }
}
