package io.faasimage.api.start;

import io.faasimage.api.rest.FieldChecks;
import java.util.List;

/**
 * Body of {@code POST /v1/nodes/{name}/starts}.
 *
 * @param starts 1 to {@value StartRecord#MAX_BATCH}
 */
public record StartBatch(List<StartRecord> starts) {
    /** Checks the size and copies the list. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public StartBatch {
        FieldChecks.needed("starts", starts);
        starts = List.copyOf(starts);
        FieldChecks.atMost("starts", starts.size(), StartRecord.MAX_BATCH);
        if (starts.isEmpty()) {
            throw FieldChecks.refused("starts", "is empty");
        }
    }

    /**
     * The outcome of a batch.
     *
     * @param added records that are kept now
     * @param known records that were there before
     * @param dropped records that are too old or from the future, or whose plan or objects make no sense
     */
    public record Taken(int added, int known, int dropped) {}
}
