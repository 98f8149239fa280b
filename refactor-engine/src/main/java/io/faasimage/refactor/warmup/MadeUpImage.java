package io.faasimage.refactor.warmup;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.image.ImageConfig;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An image of two layers in memory: an operating system with its package database, and Python libraries. */
final class MadeUpImage implements ImageSource {
    private static final String MEDIA_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final int PACKAGES = 60;
    private static final int FILES_OF_PACKAGE = 12;
    private static final int LIBRARIES = 4;
    private static final int FILES_OF_LIBRARY = 200;
    private static final int LARGE_BYTES = 5 << 20;

    private final List<MadeUpLayer> layers;
    private final List<FilePath> traced;

    private MadeUpImage(List<MadeUpLayer> layers, List<FilePath> traced) {
        this.layers = layers;
        this.traced = traced;
    }

    static MadeUpImage create() throws IOException {
        List<FilePath> traced = new ArrayList<>();
        return new MadeUpImage(List.of(system(traced), libraries()), traced);
    }

    private static MadeUpLayer system(List<FilePath> traced) throws IOException {
        MadeUpLayer.Builder layer = new MadeUpLayer.Builder();
        for (int i = 0; i < PACKAGES; i++) {
            StringBuilder list = new StringBuilder();
            for (int j = 0; j < FILES_OF_PACKAGE; j++) {
                String file = "usr/share/package" + i + "/file" + j;
                list.append('/').append(file).append('\n');
                traced.add(layer.file(file, 9000));
            }
            layer.text("var/lib/dpkg/info/package" + i + ".list", list.toString());
        }
        layer.file("usr/lib/large.so", LARGE_BYTES);
        return layer.build();
    }

    private static MadeUpLayer libraries() throws IOException {
        MadeUpLayer.Builder layer = new MadeUpLayer.Builder();
        String site = "usr/local/lib/python3.13/site-packages/";
        for (int i = 0; i < LIBRARIES; i++) {
            StringBuilder record = new StringBuilder();
            for (int j = 0; j < FILES_OF_LIBRARY; j++) {
                String module = "library" + i + "/module" + j + ".py";
                record.append(module).append(",,\n");
                layer.file(site + module, 12000);
            }
            String info = site + "library" + i + "-1.0.dist-info/";
            layer.text(info + "METADATA", "Name: library" + i + "\nVersion: 1.0\n\n");
            layer.text(info + "RECORD", record.toString());
        }
        return layer.build();
    }

    ResolvedImage resolved() {
        List<Digest> diffIds = layers.stream().map(MadeUpLayer::diffId).toList();
        Digest none = Digest.of(new byte[0]);
        return new ResolvedImage(
                ImageLocation.parse("warm-up.invalid/made-up:1"),
                Platform.host(),
                none,
                Optional.empty(),
                none,
                layers.stream()
                        .map(layer -> new LayerDescriptor(layer.digest(), layer.size(), MEDIA_TYPE))
                        .toList(),
                diffIds,
                ChainId.ofLayers(diffIds),
                new ImageConfig(List.of(), Map.of(), List.of(), List.of(), List.of(), "", ""));
    }

    Trace trace() {
        List<TraceEntry> entries = new ArrayList<>();
        for (FilePath path : traced) {
            entries.add(TraceEntry.whole(path, 1, entries.size(), 0));
        }
        return new Trace(resolved().topChain(), 1, entries);
    }

    @Override
    public ResolvedImage resolve(Platform platform) {
        return resolved();
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) {
        return layers.stream()
                .filter(l -> l.digest().equals(layer.digest()))
                .map(l -> new ByteArrayInputStream(l.blob()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {}
}
