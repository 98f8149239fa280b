package io.faasimage.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.layer.LayerException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LayerFilesTest {
    private static final long MOST = 1 << 20;

    private final List<String> files = new ArrayList<>();

    private static byte[] tar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            add(tar, new TarArchiveEntry("directory/"), "");
            add(tar, new TarArchiveEntry("directory/one"), "first");
            add(tar, new TarArchiveEntry("empty"), "");
            TarArchiveEntry link = new TarArchiveEntry("link", TarConstants.LF_SYMLINK);
            link.setLinkName("directory/one");
            add(tar, link, "");
            add(tar, new TarArchiveEntry("long".repeat(100)), "second");
            add(tar, new TarArchiveEntry("three"), "third");
        }
        return bytes.toByteArray();
    }

    private static void add(TarArchiveOutputStream tar, TarArchiveEntry entry, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        entry.setSize(bytes.length);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }

    private boolean read(byte[] layer, long most, int count) throws IOException {
        return LayerFiles.read(new ByteArrayInputStream(layer), "layer x", most, (size, content) -> {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).hasSize((int) size);
            files.add(text);
            return files.size() < count;
        });
    }

    @Test
    void filesComeInTheirOrderHoweverTheLayerIsCompressed() throws IOException {
        for (byte[] layer : List.of(tar(), gzip(tar()), Zstd.compress(tar()))) {
            files.clear();
            assertThat(read(layer, MOST, 10)).isTrue();
            assertThat(files).containsExactly("first", "second", "third");
        }
    }

    @Test
    void theReaderStopsWhenNothingMoreIsWanted() throws IOException {
        assertThat(read(tar(), MOST, 2)).isFalse();
        assertThat(files).containsExactly("first", "second");
    }

    @Test
    void contentThatIsNotReadIsPassedOver() throws IOException {
        List<Long> sizes = new ArrayList<>();
        LayerFiles.read(new ByteArrayInputStream(tar()), "layer x", MOST, (size, _) -> sizes.add(size));
        assertThat(sizes).containsExactly(5L, 6L, 5L);
    }

    @Test
    void aLayerThatGrowsBeyondItsLimitIsRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            add(tar, new TarArchiveEntry("zeros"), "\0".repeat(50 << 20));
        }
        for (byte[] bomb : List.of(gzip(bytes.toByteArray()), Zstd.compress(bytes.toByteArray()))) {
            assertThatThrownBy(() -> LayerFiles.read(new ByteArrayInputStream(bomb), "layer x", MOST, (_, _) -> true))
                    .asInstanceOf(InstanceOfAssertFactories.type(LayerException.class))
                    .extracting(LayerException::kind)
                    .isEqualTo(Kind.LIMIT);
        }
    }

    /** Of windows that large only few may be open at a time. */
    @Test
    void aLayerIsClosedHoweverItsReadingEnds() throws IOException {
        byte[] large;
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(1).setLong(27)) {
            large = zstd.compress(tar());
        }
        byte[] cut = Arrays.copyOf(large, large.length - 10);
        for (int i = 0; i < 5; i++) {
            files.clear();
            read(large, MOST, 1);
            assertThatThrownBy(() -> read(cut, MOST, 10)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void damagedLayersAreErrors() throws IOException {
        byte[] cut = gzip(tar());
        assertThatThrownBy(() -> read(Arrays.copyOf(cut, cut.length / 2), MOST, 10))
                .isInstanceOf(IOException.class);
        byte[] text = "this is no tar archive".repeat(100).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> read(text, MOST, 10)).isInstanceOf(IOException.class);
    }
}
