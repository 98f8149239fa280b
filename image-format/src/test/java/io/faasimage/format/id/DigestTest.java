package io.faasimage.format.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    @Test
    void everyFormIsThatOfTheSameDigest() {
        Digest digest = Digest.of(new byte[0]);

        assertThat(digest).hasToString("sha256:" + EMPTY);
        assertThat(digest.hex()).isEqualTo(EMPTY);
        assertThat(digest.objectPath()).isEqualTo("e3/" + EMPTY.substring(2));
        assertThat(Stream.of(new Digest(EMPTY), Digest.parse("sha256:" + EMPTY), Digest.ofBytes(digest.bytes())))
                .containsOnly(digest);
        assertThat(new Digest(EMPTY)).hasSameHashCodeAs(digest);
    }

    @Test
    void theOrderIsThatOfTheHexDigits() {
        List<Digest> digests = IntStream.range(0, 1000)
                .mapToObj(i -> Digest.of(Integer.toString(i).getBytes(StandardCharsets.US_ASCII)))
                .toList();
        Digest low = new Digest("7f" + EMPTY.substring(2));
        Digest high = new Digest("80" + EMPTY.substring(2));

        assertThat(low).isLessThan(high);
        assertThat(new Digest(EMPTY.substring(0, 62) + "54")).isLessThan(new Digest(EMPTY));
        assertThat(digests.stream().sorted())
                .containsExactlyElementsOf(digests.stream()
                        .sorted(Comparator.comparing(Digest::hex))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "e3", EMPTY + "0", "E3B0C44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})
    void anythingElseIsRefused(String hex) {
        assertThatThrownBy(() -> new Digest(hex)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Digest.parse("sha256:" + hex)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Digest.parse(EMPTY)).hasMessageContaining("not a sha256 digest");
    }
}
