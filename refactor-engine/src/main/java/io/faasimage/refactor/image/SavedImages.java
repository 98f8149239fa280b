package io.faasimage.refactor.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.layer.Decompressed;
import io.faasimage.layer.LayerException;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.DocumentParser.SavedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The images of a {@code docker save} archive without a layout.
 *
 * <p>Such an archive has no manifest, so the digest that names the image is that of a manifest made here from its
 * configuration and layers: the same archive content gives the same digest, which no registry knows.
 *
 * <p>Used by one thread until {@link #resolve} has returned, by several after.
 */
final class SavedImages implements ImageSource {
    private static final String DOCKER = "application/vnd.docker.";

    private final ImageLocation.Archive reference;
    private final ArchiveFile archive;
    private final SourceOptions options;
    private final Map<Digest, String> layerFiles = new HashMap<>();

    SavedImages(ImageLocation.Archive reference, ArchiveFile archive, SourceOptions options) {
        this.reference = reference;
        this.archive = archive;
        this.options = options;
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        DocumentParser parser = new DocumentParser(reference.toString());
        SavedImage image = select(parser.savedImages(text("manifest.json")));
        String json = text(image.config());
        Digest configDigest = Digest.of(json.getBytes(StandardCharsets.UTF_8));
        ImageDocument.Configuration configuration = parser.configuration(json);
        if (!platform.accepts(configuration.platform())) {
            throw new RefactorException(
                    Kind.NOT_FOUND,
                    reference + " is an image for " + configuration.platform() + ", not for " + platform);
        }
        List<Digest> diffIds = configuration.diffIds();
        if (diffIds.size() != image.layers().size()) {
            throw new RefactorException(
                    Kind.INVALID,
                    reference + " has " + image.layers().size() + " layers but " + diffIds.size() + " diff IDs");
        }
        List<LayerDescriptor> layers = new ArrayList<>();
        for (int i = 0; i < diffIds.size(); i++) {
            layers.add(layer(image.layers().get(i), diffIds.get(i)));
        }
        options.budget().check(reference, layers);
        return new ResolvedImage(
                reference,
                platform,
                manifest(configDigest, json.length(), layers),
                Optional.empty(),
                configDigest,
                layers,
                diffIds,
                ChainId.ofLayers(diffIds),
                configuration.config());
    }

    private SavedImage select(List<SavedImage> images) throws RefactorException {
        if (reference.reference().isEmpty() && images.size() == 1) {
            return images.getFirst();
        }
        String wanted = reference.reference().orElse("");
        for (SavedImage image : images) {
            if (image.tags().contains(wanted)
                    || (!wanted.isEmpty() && image.config().startsWith(wanted + "."))) {
                return image;
            }
        }
        List<String> tags =
                images.stream().flatMap(i -> i.tags().stream()).limit(20).toList();
        throw new RefactorException(
                Kind.NOT_FOUND, reference + " does not name one image; add one of these after a colon: " + tags);
    }

    private LayerDescriptor layer(String file, Digest diffId) throws IOException {
        boolean plain;
        try (Decompressed start = Decompressed.of(archive.open(file), file)) {
            plain = start.compression() == Decompressed.Compression.NONE;
        } catch (LayerException e) {
            throw RefactorException.of(e);
        }
        Digest digest = plain ? diffId : hash(file);
        layerFiles.put(digest, file);
        String type = DOCKER + (plain ? "image.rootfs.diff.tar" : "image.rootfs.diff.tar.gzip");
        return new LayerDescriptor(digest, archive.size(file), type);
    }

    private Digest hash(String file) throws IOException {
        MessageDigest hash = Digest.newSha256();
        byte[] buffer = new byte[64 << 10];
        try (InputStream in = archive.open(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hash.update(buffer, 0, n);
            }
        }
        return Digest.ofBytes(hash.digest());
    }

    private static Digest manifest(Digest config, long configSize, List<LayerDescriptor> layers) {
        StringBuilder json = new StringBuilder("{\"schemaVersion\":2,\"mediaType\":\"" + DOCKER
                + "distribution.manifest.v2+json\",\"config\":"
                + descriptor("container.image.v1+json", config, configSize)
                + ",\"layers\":[");
        for (int i = 0; i < layers.size(); i++) {
            LayerDescriptor layer = layers.get(i);
            json.append(i == 0 ? "" : ",")
                    .append(descriptor(layer.mediaType().substring(DOCKER.length()), layer.digest(), layer.size()));
        }
        return Digest.of(json.append("]}").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String descriptor(String type, Digest digest, long size) {
        return "{\"mediaType\":\"" + DOCKER + type + "\",\"size\":" + size + ",\"digest\":\"" + digest + "\"}";
    }

    private String text(String file) throws IOException {
        try (InputStream in = archive.open(file)) {
            byte[] bytes = in.readNBytes(options.budget().documentBytes() + 1);
            if (bytes.length > options.budget().documentBytes()) {
                throw new RefactorException(
                        Kind.LIMIT,
                        file + " of " + reference + " is too long for a manifest" + ImageBudget.raise("document"));
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        String file = layerFiles.get(layer.digest());
        if (file == null) {
            throw new RefactorException(Kind.NOT_FOUND, reference + " has no layer " + layer.digest());
        }
        return new VerifyingStream(
                archive.open(file), "layer " + layer.digest() + " of " + reference, layer.digest(), layer.size());
    }

    @Override
    public void close() {}
}
