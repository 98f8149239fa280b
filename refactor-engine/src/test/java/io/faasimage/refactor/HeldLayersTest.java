package io.faasimage.refactor;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of which layers are read a second time. */
class HeldLayersTest {
    private static final Platform AMD64 = Platform.parse("linux/amd64");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    private final Stored stored = new Stored();
    private final AtomicInteger opened = new AtomicInteger();
    private Ranges ranges = Ranges.GIVEN;
    private boolean blobsAreThere = true;

    /** The source's answers to a range. */
    enum Ranges {
        GIVEN,
        OTHER_BYTES,
        NONE
    }

    @SuppressWarnings("NullAway.Init")
    private Layer system;

    @SuppressWarnings("NullAway.Init")
    private Layer function;

    @BeforeEach
    void makeLayers() throws Exception {
        Path root = Files.createDirectories(temp.resolve("root"));
        Path database = Files.createDirectories(root.resolve("var/lib/dpkg/info"));
        Files.writeString(database.resolve("libc.list"), "/usr/libc.so\n");
        Files.writeString(Files.createDirectory(root.resolve("usr")).resolve("libc.so"), "machine code");
        system = new Layer(run(root, "tar", "--format=pax", "-c", "."), Packing.GZIP);
        Path code = Files.createDirectory(temp.resolve("code"));
        Files.writeString(code.resolve("handler.py"), "print('hello')");
        function = new Layer(run(code, "tar", "--format=pax", "-c", "."), Packing.GZIP);
    }

    @Test
    void aLayerIsReadOnce() throws Exception {
        RefactorResult first = refactor(system);
        stored.keep(first);
        assertThat(opened).hasValue(1);

        RefactorResult second = refactor(system, function);
        assertThat(opened).hasValue(2);
        assertThat(second.layers()).extracting(LayerFile::blob).containsExactly(Digest.of(function.blob()));
        assertThat(second.locations())
                .extracting(ObjectLocation::digest)
                .containsExactly(Digest.of("print('hello')".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(second.planDigest())
                .isEqualTo(refactorWithout(system, function).planDigest());
    }

    @ParameterizedTest
    @EnumSource(
            value = Ranges.class,
            names = {"OTHER_BYTES", "NONE"})
    void aLayerIsReadAgainWhenItsSourceDoesNotShowIt(Ranges given) throws Exception {
        stored.keep(refactor(system));
        ranges = given;
        refactor(system);
        assertThat(opened).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Ranges.class,
            names = {"OTHER_BYTES", "NONE"})
    void nobodyGetsALayerByNamingItsBlob(Ranges given) throws Exception {
        stored.keep(refactor(system));
        ranges = given;
        blobsAreThere = false;
        assertThatThrownBy(() -> refactor(system)).isInstanceOf(IOException.class);
    }

    @Test
    void theLowestLayersThatASourceShowsAreCounted() throws Exception {
        stored.keep(refactor(system));
        assertThat(shown(system, function)).isEqualTo(1);
        assertThat(shown(function, system)).isZero();
        stored.keep(refactor(function));
        assertThat(shown(system, function)).isEqualTo(2);
        ranges = Ranges.NONE;
        assertThat(shown(system, function)).isZero();
    }

    private int shown(Layer... layers) throws IOException {
        Path layout = layout(layers);
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            return new ShownLayers(new Counting(source), stored::layerIndex).count(source.resolve(AMD64));
        }
    }

    @Test
    void aLayerIsReadAgainWhenAnObjectOfItIsNotHeld() throws Exception {
        stored.keep(refactor(system));
        Digest lost = stored.contents.keySet().iterator().next();
        stored.contents.remove(lost);
        RefactorResult again = refactor(system);
        assertThat(opened).hasValue(2);
        assertThat(again.locations()).extracting(ObjectLocation::digest).containsExactly(lost);
    }

    @Test
    void aLayerIsReadAgainWhenItsIndexIsDamaged() throws Exception {
        stored.keep(refactor(system));
        stored.indexes.values().forEach(bytes -> bytes[bytes.length / 2] ^= 1);
        RefactorResult again = refactor(system);
        assertThat(opened).hasValue(2);
        assertThat(again.layers()).hasSize(1);
    }

    @Test
    void nobodyGetsALayerByClaimingItsDiffId() throws Exception {
        stored.keep(refactor(system));
        Path layout = temp.resolve("claim");
        TestImages.layout(layout, List.of(function), List.of(system.diffId()));
        assertThatThrownBy(() -> refactor(layout, stored))
                .isInstanceOfSatisfying(
                        RefactorException.class,
                        e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.DIGEST_MISMATCH));
    }

    @Test
    void aHeldBlobUnderAnotherDiffIdIsRefused() throws Exception {
        stored.keep(refactor(system));
        Path layout = temp.resolve("claim");
        TestImages.layout(layout, List.of(system), List.of(function.diffId()));
        assertThatThrownBy(() -> refactor(layout, stored))
                .isInstanceOfSatisfying(
                        RefactorException.class,
                        e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.DIGEST_MISMATCH));
    }

    private RefactorResult refactorWithout(Layer... layers) throws IOException {
        return refactor(layout(layers), Holdings.NONE);
    }

    private RefactorResult refactor(Layer... layers) throws IOException {
        return refactor(layout(layers), stored);
    }

    private Path layout(Layer... layers) throws IOException {
        Path layout = temp.resolve("layout-" + layers.length);
        TestImages.layout(layout, List.of(layers));
        return layout;
    }

    private RefactorResult refactor(Path layout, Holdings known) throws IOException {
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(AMD64);
            return new RefactorEngine(EngineConfig.defaults(temp.resolve("work")))
                    .refactor(
                            new Counting(source),
                            image,
                            new Trace(image.topChain(), 1, List.of()),
                            known,
                            temp.resolve("out"),
                            ProgressListener.NONE);
        }
    }

    /** A source that counts the layers that are opened. */
    private final class Counting implements ImageSource {
        private final ImageSource source;

        Counting(ImageSource source) {
            this.source = source;
        }

        @Override
        public ResolvedImage resolve(Platform platform) throws IOException {
            return source.resolve(platform);
        }

        @Override
        public InputStream openLayer(LayerDescriptor layer) throws IOException {
            opened.incrementAndGet();
            if (!blobsAreThere) {
                throw new IOException("404");
            }
            return source.openLayer(layer);
        }

        @Override
        public Optional<byte[]> range(LayerDescriptor layer, long offset, int length) throws IOException {
            if (ranges == Ranges.NONE) {
                return Optional.empty();
            }
            try (InputStream blob = source.openLayer(layer)) {
                byte[] bytes = Arrays.copyOfRange(blob.readAllBytes(), (int) offset, (int) offset + length);
                bytes[length / 2] ^= (byte) (ranges == Ranges.OTHER_BYTES ? 1 : 0);
                return Optional.of(bytes);
            }
        }

        @Override
        public void close() {}
    }

    /** Holdings that keep the results of refactorings. */
    private static final class Stored implements Holdings {
        private final Map<Digest, byte[]> contents = new HashMap<>();
        private final Map<Digest, ObjectFrames> frames = new HashMap<>();
        private final Map<Digest, byte[]> indexes = new HashMap<>();

        private final Set<Digest> metadata = new HashSet<>();

        void keep(RefactorResult result) throws IOException {
            result.metadataImages().forEach(image -> metadata.add(image.digest()));
            for (PackFile pack : result.packs()) {
                try (PackReader reader = PackReader.open(pack.file())) {
                    for (PackEntry entry : reader.entries()) {
                        contents.put(entry.digest(), Zstd.decompress(reader.frame(entry), (int) entry.rawSize()));
                        frames.put(entry.digest(), entry.frames());
                    }
                }
            }
            for (LayerFile layer : result.layers()) {
                indexes.put(layer.blob(), Files.readAllBytes(layer.file()));
            }
        }

        @Override
        public synchronized Set<Digest> held(Collection<Digest> digests) {
            Set<Digest> held = new HashSet<>(digests);
            held.retainAll(contents.keySet());
            return held;
        }

        @Override
        public synchronized Map<Digest, ObjectFrames> frames(Collection<Digest> digests) {
            return digests.stream().collect(Collectors.toMap(Function.identity(), frames::get));
        }

        @Override
        public synchronized byte[] content(Digest digest) {
            return Optional.ofNullable(contents.get(digest)).orElseThrow().clone();
        }

        @Override
        public synchronized void copy(Digest digest, OutputStream out) throws IOException {
            out.write(content(digest));
        }

        @Override
        public synchronized boolean holdsMetadata(Digest digest) {
            return metadata.contains(digest);
        }

        @Override
        public synchronized Optional<byte[]> layerIndex(Digest blob) {
            return Optional.ofNullable(indexes.get(blob));
        }
    }
}
