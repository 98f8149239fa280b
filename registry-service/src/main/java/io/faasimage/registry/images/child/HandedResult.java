package io.faasimage.registry.images.child;

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
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * The result of a child as it is handed over in the work directory: this record as {@code result.json}, the plan as
 * {@code plan}, the files in {@code out}. The places of objects are in the packs.
 */
record HandedResult(
        List<MetadataImage> metadataImages,
        List<PackFile> packs,
        List<LayerFile> layers,
        Optional<Prediction> prediction,
        List<LibraryReads> reads,
        RefactorReport report) {
    /** The bytes of either file that the service reads into its heap. */
    private static final long MAX_BYTES = 64 << 20;

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
                result.metadataImages(),
                result.packs(),
                result.layers(),
                result.prediction(),
                result.reads(),
                result.report());
        Files.write(document(work), Json.mapper().writeValueAsBytes(handed));
        Files.write(plan(work), PlanCodec.encode(result.plan()));
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
            Stream.of(
                            handed.packs.stream().map(PackFile::file),
                            handed.metadataImages.stream().map(MetadataImage::file),
                            handed.layers.stream().map(LayerFile::file))
                    .flatMap(files -> files)
                    .forEach(file -> check(file, out));
            return new RefactorResult(
                    plan,
                    PlanCodec.digest(plan),
                    handed.metadataImages,
                    handed.packs,
                    locations(handed.packs),
                    handed.layers,
                    handed.prediction,
                    handed.reads,
                    handed.report);
        } catch (JacksonException | FormatException | IllegalArgumentException e) {
            throw new RefactorException(Kind.INVALID, "the result of the job is not valid: " + e.getMessage(), e);
        }
    }

    private static void check(Path file, Path out) {
        if (!out.equals(file.getParent()) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException("it names '" + file + "', which is no file of it");
        }
    }

    private static List<ObjectLocation> locations(List<PackFile> packs) throws IOException {
        List<ObjectLocation> locations = new ArrayList<>();
        for (PackFile pack : packs) {
            String name = String.valueOf(pack.file().getFileName());
            try (PackReader reader = PackReader.open(pack.file())) {
                for (PackEntry entry : reader.entries()) {
                    locations.add(
                            new ObjectLocation(entry.digest(), name, entry.offset(), entry.rawSize(), entry.frames()));
                }
            }
        }
        return locations;
    }

    private static byte[] bytes(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MAX_BYTES) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the " + file.getFileName() + " of the image has " + size + " bytes, the limit is " + MAX_BYTES);
        }
        return Files.readAllBytes(file);
    }
}
