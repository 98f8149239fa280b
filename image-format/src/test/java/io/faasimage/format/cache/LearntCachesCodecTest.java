package io.faasimage.format.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearntCachesCodecTest extends AbstractCodecTest<LearntCaches> {
    private static final ChainId CHAIN = new ChainId(Digest.of("image".getBytes(StandardCharsets.UTF_8)));
    private static final LearntCaches CACHES = new LearntCaches(
            CHAIN,
            List.of(
                    file("app/__pycache__/m.cpython-311.pyc", "code"),
                    file("app/tmp/cache/bootsnap/load-path-cache", "paths")));

    private static LearntFile file(String path, String content) {
        return new LearntFile(
                FilePath.ofText(path),
                Attributes.of(0644, 0, 1000, 1_700_000_000L, 5),
                content.getBytes(StandardCharsets.UTF_8));
    }

    LearntCachesCodecTest() {
        super("learnt caches", LearntCachesCodec::encode, LearntCachesCodec::decode, List.of(CACHES));
    }

    @Test
    void bytesNeverChange() {
        assertThat(Digest.of(LearntCachesCodec.encode(CACHES)))
                .hasToString("sha256:f865803fab8d870854aed1b99917b0b580168c0a09d1e542bdc84ad54fdcd67d");
    }

    @ParameterizedTest
    @CsvSource({
        "usr/lib/python3.11/__pycache__/os.cpython-311.pyc, PYTHON",
        "app/__pycache__/a.b.cpython-313t.opt-2.pyc, PYTHON",
        "__pycache__/a.pypy39.pyc, PYTHON",
        "tmp/node-compile-cache/v22.12.0-x64-fa1b2c3d-0/6a7b8c9d, NODE",
        "var/opcache/0123456789abcdef0123456789abcdef/app/index.php.bin, PHP",
        "app/tmp/cache/bootsnap/compile-cache-iseq/ab/0123456789abcd, RUBY",
        "bootsnap/load-path-cache, RUBY",
    })
    void knowsCachesByTheirNames(String path, CachePlace place) {
        assertThat(CachePlace.of(FilePath.ofText(path))).contains(place);
    }

    @ParameterizedTest
    @CsvSource({
        "app/m.py", "app/__pycache__/m.py", "app/__pycache__/m.cpython-311.pyc.140234",
        "app/__pycache__/deeper/m.cpython-311.pyc", "etc/passwd", "usr/bin/node",
        "var/opcache/0123456789abcdef/app/index.php.bin", "app/bootsnap/compile-cache-iseq/ab/..x",
    })
    void nothingElseIsACache(String path) {
        assertThat(CachePlace.of(FilePath.ofText(path))).isEmpty();
    }

    @Test
    void isInOrderAndHasPermissionsOnly() {
        LearntFile first = CACHES.files().getFirst();
        assertThatThrownBy(() -> new LearntCaches(CHAIN, List.of(first, first))).hasMessageContaining("twice");
        assertThatThrownBy(() -> new LearntCaches(CHAIN, List.of())).hasMessageContaining("0 files");
        assertThatThrownBy(() -> new LearntFile(first.path(), Attributes.of(04755, 0, 0, 0, 0), first.content()))
                .hasMessageContaining("permissions only");
        assertThatThrownBy(
                        () -> new LearntFile(FilePath.ofText("usr/bin/python3"), first.attributes(), first.content()))
                .hasMessageContaining("not in a cache");
    }
}
