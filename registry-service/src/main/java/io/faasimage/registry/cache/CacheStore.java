package io.faasimage.registry.cache;

import io.faasimage.format.FormatException;
import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntCachesCodec;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobTable;
import io.faasimage.registry.blob.BlobsDownException;
import io.faasimage.registry.image.ImageFunctions;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Learnt caches with their bytes. Thread-safe. */
@Component
public class CacheStore {
    private final CacheTable table;
    private final ImageFunctions functions;
    private final BlobStore blobs;
    private final BlobTable known;

    CacheStore(CacheTable table, ImageFunctions functions, BlobStore blobs, BlobTable known) {
        this.table = table;
        this.functions = functions;
        this.blobs = blobs;
        this.known = known;
    }

    /** What a plan of these layers is to have: nothing unless all functions of them are learnt from. */
    public Optional<LearntCaches> forPlan(ChainId chain) {
        return functions.learnCaches(chain) ? table.find(chain).map(row -> read(chain, row)) : Optional.empty();
    }

    /** The caches of a row. */
    public LearntCaches read(ChainId chain, CacheRow row) {
        try {
            return LearntCachesCodec.decode(blobs.read(row.blob()));
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (FormatException e) {
            throw damaged(chain, e);
        } catch (IOException e) {
            throw damaged(chain, e);
        }
    }

    /** Stores the bytes of what a start wrote; its row is to be added. */
    public Blob write(LearntCaches caches) {
        byte[] encoded = LearntCachesCodec.encode(caches);
        Blob blob = Blob.caches(Digest.of(encoded));
        known.protect(List.of(blob));
        try {
            blobs.write(blob, encoded);
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemKind.STORAGE, "the caches could not be stored (" + e + "); is the service's disk full?", e);
        }
        return blob;
    }

    private static ProblemException damaged(ChainId chain, Exception cause) {
        return new ProblemException(
                ProblemKind.STORAGE,
                "the learnt caches of " + chain + " are damaged (" + cause.getMessage()
                        + "); drop them: faasimage functions caches NAME --drop",
                cause);
    }
}
