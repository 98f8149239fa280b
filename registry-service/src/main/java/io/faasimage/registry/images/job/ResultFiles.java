package io.faasimage.registry.images.job;

import io.faasimage.format.id.Digest;
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
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredFrames;
import io.faasimage.registry.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** The files that jobs read and write: work directories, stored packs, and those of results. Thread-safe. */
@Component
class ResultFiles {
    private final BlobStore blobs;
    private final BlobTable known;
    private final ObjectTable objects;
    private final LayerIndexes indexes;
    private final LayerStatements statements;
    private final WorkFiles works;

    ResultFiles(
            BlobStore blobs,
            BlobTable known,
            ObjectTable objects,
            LayerIndexes indexes,
            LayerStatements statements,
            WorkFiles works) {
        this.blobs = blobs;
        this.known = known;
        this.objects = objects;
        this.indexes = indexes;
        this.statements = statements;
        this.works = works;
    }

    /** An empty directory for one run of a job. */
    Path newWork(String run) throws IOException {
        return works.newWork(run);
    }

    /** The stored packs as one job sees them. */
    StoredPacks stored() {
        return new StoredPacks(objects, blobs, known, indexes);
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
     * Syncs every file of a result and gives it its name; until there are rows, nothing refers to it.
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
        Blob plan = Blob.plan(result.planDigest());
        known.protect(Stream.concat(files.values().stream(), Stream.of(plan)).toList());
        blobs.publish(files);
        blobs.write(plan, PlanCodec.encode(result.plan()));
        return new Published(metadata, packed(result), signed);
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

    /** Adds the rows of published files. Needs a transaction. */
    void add(Published files) {
        objects.addAll(files.packed);
        files.metadata.forEach(image -> objects.addMetadata(image.digest(), image.storedSize(), image.rawSize()));
        files.statements.forEach(statements::add);
    }
}
