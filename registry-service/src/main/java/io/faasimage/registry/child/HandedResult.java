package io.faasimage.registry.child;

import io.faasimage.api.rest.Json;
import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.refactor.LayerFile;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.PackFile;
import io.faasimage.refactor.RefactorReport;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackReader;
import io.faasimage.refactor.predict.LibraryReads;
import io.faasimage.refactor.predict.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * The result of a child as it is handed over in the work directory: this record as {@code result.json}, the plan as
 * {@code plan}, the files in {@code out}. The places of objects are in the packs.
 */
record HandedResult(
        List<HandedMetadata> metadataImages,
        List<HandedPack> packs,
        List<HandedLayer> layers,
        Optional<Prediction> prediction,
        List<LibraryReads> reads,
        RefactorReport report) {
    /** The bytes of either file that the service reads into its heap. */
    private static final long MAX_BYTES = 64 << 20;

    /** A metadata image. */
    record HandedMetadata(Digest digest, long rawSize, String file, long storedSize) {}

    /** A pack. */
    record HandedPack(String file, int objects, long rawBytes, long storedBytes) {}

    /** The index of a layer. */
    record HandedLayer(Digest blob, String file) {}

    /** Where a child writes files. */
    static Path output(Path work) {
        return work.resolve("out");
    }

    private static Path document(Path work) {
        return work.resolve("result.json");
    }

    private static Path plan(Path work) {
        return work.resolve("plan");
    }

    /** Hands a result over; its files are in {@link #output}. */
    static void write(RefactorResult result, Path work) throws IOException {
        HandedResult handed = new HandedResult(
                result.metadataImages().stream()
                        .map(image -> new HandedMetadata(
                                image.digest(), image.rawSize(), name(image.file()), image.storedSize()))
                        .toList(),
                result.packs().stream()
                        .map(pack ->
                                new HandedPack(name(pack.file()), pack.objects(), pack.rawBytes(), pack.storedBytes()))
                        .toList(),
                result.layers().stream()
                        .map(layer -> new HandedLayer(layer.blob(), name(layer.file())))
                        .toList(),
                result.prediction(),
                result.reads(),
                result.report());
        Files.write(document(work), Json.mapper().writeValueAsBytes(handed));
        Files.write(plan(work), PlanCodec.encode(result.plan()));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** The result for an image that a child has handed over. */
    static RefactorResult read(Path work, Digest image) throws IOException {
        Path out = output(work);
        try {
            HandedResult handed = Json.mapper().readValue(bytes(document(work)), HandedResult.class);
            Plan plan = PlanCodec.decode(bytes(plan(work)));
            if (!plan.image().equals(image)) {
                throw new RefactorException(Kind.INVALID, "the plan is of another image, " + plan.image());
            }
            List<PackFile> packs = new ArrayList<>();
            List<ObjectLocation> locations = new ArrayList<>();
            for (HandedPack pack : handed.packs) {
                Path file = file(out, pack.file);
                locate(file, locations);
                packs.add(new PackFile(file, pack.objects, pack.rawBytes, pack.storedBytes));
            }
            List<MetadataImage> images = new ArrayList<>();
            for (HandedMetadata metadata : handed.metadataImages) {
                images.add(new MetadataImage(
                        metadata.digest, metadata.rawSize, file(out, metadata.file), metadata.storedSize));
            }
            List<LayerFile> layers = new ArrayList<>();
            for (HandedLayer layer : handed.layers) {
                layers.add(new LayerFile(layer.blob, file(out, layer.file)));
            }
            return new RefactorResult(
                    plan,
                    PlanCodec.digest(plan),
                    images,
                    packs,
                    locations,
                    layers,
                    handed.prediction,
                    handed.reads,
                    handed.report);
        } catch (JacksonException | FormatException | IllegalArgumentException e) {
            throw new RefactorException(Kind.INVALID, "the result of the job is not valid: " + e.getMessage(), e);
        }
    }

    private static void locate(Path pack, List<ObjectLocation> locations) throws IOException {
        try (PackReader reader = PackReader.open(pack)) {
            for (PackEntry entry : reader.entries()) {
                locations.add(new ObjectLocation(
                        entry.digest(), name(pack), entry.offset(), entry.storedSize(), entry.rawSize()));
            }
        }
    }

    private static Path file(Path out, String name) throws RefactorException {
        Path file = out.resolve(name).normalize();
        if (!out.equals(file.getParent()) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefactorException(Kind.INVALID, "the result names '" + name + "', which is no file of it");
        }
        return file;
    }

    private static byte[] bytes(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MAX_BYTES) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the " + name(file) + " of the image has " + size + " bytes, the limit is " + MAX_BYTES);
        }
        return Files.readAllBytes(file);
    }
}
