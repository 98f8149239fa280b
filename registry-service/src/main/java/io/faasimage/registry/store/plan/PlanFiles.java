package io.faasimage.registry.store.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** The encoded plans among the blobs. Thread-safe. */
@Component
public class PlanFiles {
    private final BlobStore blobs;

    PlanFiles(BlobStore blobs) {
        this.blobs = blobs;
    }

    /** The bytes of a plan that is in the table, checked against its name. */
    public byte[] read(Digest digest) {
        byte[] encoded;
        try {
            encoded = blobs.read(Blob.plan(digest));
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (IOException e) {
            throw damaged(digest, "its file cannot be read (" + e + ")");
        }
        if (!Digest.of(encoded).equals(digest)) {
            throw damaged(digest, "the bytes of its file are not those that were written");
        }
        return encoded;
    }

    /** A plan that is in the table. */
    public Plan plan(Digest digest) {
        return decode(digest, read(digest));
    }

    /** The plan that {@code encoded} is. */
    static Plan decode(Digest digest, byte[] encoded) {
        try {
            return PlanCodec.decode(encoded);
        } catch (IOException e) {
            throw damaged(digest, String.valueOf(e.getMessage()));
        }
    }

    static ProblemException damaged(Digest plan, String reason) {
        return new ProblemException(
                ProblemKind.STORAGE,
                "plan " + plan + " is damaged: " + reason + "; POST /v1/images/{digest}/refactor makes it again");
    }
}
