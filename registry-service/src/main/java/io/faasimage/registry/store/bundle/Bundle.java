package io.faasimage.registry.store.bundle;

import io.faasimage.format.bundle.BundleSize;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanPart;
import java.util.List;
import java.util.Optional;

/**
 * The content of the answer to one request; at least one of chains and layout is present.
 *
 * @param chains that are sent first
 * @param layout of the plan that the rest is of
 * @param plan whether the plan is sent
 * @param selection that is sent
 * @param metadata whether the metadata image is sent
 * @param deltas differences that are sent in the place of plan and metadata image
 * @param parts that are sent, in this order
 * @param offset how many bytes of the first part are left out
 */
public record Bundle(
        Optional<List<ChainId>> chains,
        Optional<PlanLayout> layout,
        boolean plan,
        Optional<Selection> selection,
        boolean metadata,
        Optional<DocumentDeltas> deltas,
        List<PlanPart> parts,
        long offset) {
    public Bundle {
        parts = List.copyOf(parts);
    }

    /** A plan without objects, after the chains if there are any. */
    static Bundle of(Optional<List<ChainId>> chains, Optional<PlanLayout> layout, boolean plan, boolean metadata) {
        return new Bundle(chains, layout, plan, Optional.empty(), metadata, Optional.empty(), List.of(), 0);
    }

    /** The same with {@code smaller} in the place of plan and metadata image. */
    Bundle with(DocumentDeltas smaller) {
        return new Bundle(chains, layout, plan, selection, metadata, Optional.of(smaller), parts, offset);
    }

    /** The length as sent, bytes. */
    public long length() {
        BundleSize size = new BundleSize();
        chains.ifPresent(list -> size.frame((long) list.size() * Digest.BYTES));
        layout.filter(_ -> plan)
                .ifPresent(of -> size.frame(
                        deltas.map(smaller -> smaller.plan().encodedLength()).orElse(of.encodedLength())));
        selection.ifPresent(selected -> size.frame(selected.encode().length));
        layout.filter(_ -> metadata)
                .ifPresent(of -> size.frame(
                        deltas.map(smaller -> (long) smaller.metadata().encodedLength())
                                .orElse(of.metadata().storedLength())));
        parts.forEach(part -> size.frame(part.stored().storedLength()));
        return size.bytes() - offset;
    }
}
