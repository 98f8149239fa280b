package io.faasimage.registry.images.job;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.refactor.LayerFile;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.images.image.LayerIndexes;
import io.faasimage.registry.images.image.LayerStatements;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.blob.WorkFiles;
import io.faasimage.registry.store.object.ObjectFrameTables;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredFrames;
import io.faasimage.registry.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** The files that jobs read and write: work directories, stored packs, and those of results. Thread-safe. */
@Component
class ResultFiles {
    private final BlobStore blobs;
    private final BlobTable known;
    private final ObjectTable objects;
    private final LayerIndexes indexes;
    private final ObjectFrameTables frames;
    private final LayerStatements statements;
    private final WorkFiles works;

    ResultFiles(
            BlobStore blobs,
            BlobTable known,
            ObjectTable objects,
            LayerIndexes indexes,
            ObjectFrameTables frames,
            LayerStatements statements,
            WorkFiles works) {
        this.blobs = blobs;
        this.known = known;
        this.objects = objects;
        this.indexes = indexes;
        this.frames = frames;
        this.statements = statements;
        this.works = works;
    }

    /** An empty directory for one run of a job. */
    Path newWork(String run) throws IOException {
        return works.newWork(run);
    }

    /** The stored packs as one job sees them. */
    StoredPacks stored() {
        return new StoredPacks(objects, blobs, known, indexes, frames);
    }

    /**
     * The files of a result that are published, but have no rows yet.
     *
     * @param metadata images that are new, in the order in which all services take their rows
     * @param packed objects of the new packs
     * @param statements signed, of the indexes of new layers
     */
    record Published(List<MetadataImage> metadata, List<StoredObject> packed, Map<Digest, SignedDocument> statements) {}

    /**
     * Syncs every file of a result but its plan, and gives it its name; until there are rows, nothing refers to it.
     *
     * @throws IOException when a file cannot be published, or the key that signs cannot be used
     */
    Published publish(RefactorResult result) throws IOException {
        List<MetadataImage> metadata = result.metadataImages().stream()
                .filter(this::isNew)
                .sorted(Comparator.comparing(MetadataImage::digest))
                .toList();
        Map<Digest, SignedDocument> signed = new LinkedHashMap<>();
        Map<Path, Blob> files = new LinkedHashMap<>();
        result.packs()
                .forEach(pack -> files.put(
                        pack.file(), Blob.pack(String.valueOf(pack.file().getFileName()))));
        metadata.forEach(image -> files.put(image.file(), Blob.metadata(image.digest())));
        for (LayerFile layer : result.layers()) {
            files.put(layer.file(), Blob.layer(layer.blob()));
            statements
                    .sign(layer.blob(), Digest.of(Files.readAllBytes(layer.file())))
                    .ifPresent(statement -> signed.put(layer.blob(), statement));
        }
        known.protect(files.values());
        blobs.publish(files);
        return new Published(metadata, packed(result), signed);
    }

    /** Writes a plan under its name; until there are rows, nothing refers to it. */
    void write(Digest name, Plan plan) throws IOException {
        known.protect(List.of(Blob.plan(name)));
        blobs.write(Blob.plan(name), PlanCodec.encode(plan));
    }

    /** The frames of those of the objects that are stored. */
    Map<Digest, ObjectFrames> frames(Collection<Digest> wanted) throws IOException {
        return frames.of(wanted);
    }

    /** A stored image is not replaced: its frame could have another length, and a reader may have it open. */
    private boolean isNew(MetadataImage image) {
        known.protect(List.of(Blob.metadata(image.digest())));
        return objects.metadata(image.digest())
                .filter(stored -> StoredFrames.isThere(blobs, stored))
                .isEmpty();
    }

    private List<StoredObject> packed(RefactorResult result) {
        List<StoredObject> packed = new ArrayList<>(result.locations().size());
        for (ObjectLocation at : result.locations()) {
            packed.add(new StoredObject(at.digest(), Blob.pack(at.pack()), at.offset(), at.storedSize(), at.rawSize()));
        }
        StoredFrames.check(blobs, packed);
        return packed;
    }

    /** Adds the rows of published files, but of those objects that are stored already. Needs a transaction. */
    void add(Published files, Set<Digest> stored) {
        objects.addAll(files.packed.stream()
                .filter(object -> !stored.contains(object.digest()))
                .toList());
        files.metadata.forEach(image -> objects.addMetadata(image.digest(), image.storedSize(), image.rawSize()));
        files.statements.forEach(statements::add);
    }
}
