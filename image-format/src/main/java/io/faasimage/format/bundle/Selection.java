package io.faasimage.format.bundle;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.IndexRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The selection of what a bundle contains of a plan, so that the receiver knows at once what will arrive.
 *
 * @param ranges of {@link io.faasimage.format.plan.PlanNumbers}, ascending, with a gap between any two
 */
public record Selection(List<IndexRange> ranges) {
    /** Copies the list, and checks the order. */
    public Selection {
        ranges = IndexRanges.checked(ranges);
    }

    /** The selection of these indexes, which ascend. */
    public static Selection ofIndexes(int[] indexes) {
        return new Selection(rangesOf(indexes));
    }

    /** These indexes, in their order, as ranges. */
    public static List<IndexRange> rangesOf(int[] indexes) {
        List<IndexRange> ranges = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= indexes.length; i++) {
            if (i == indexes.length || indexes[i] != indexes[i - 1] + 1) {
                ranges.add(new IndexRange(indexes[from], indexes[i - 1] + 1));
                from = i;
            }
        }
        return ranges;
    }

    /** How many numbers are selected. */
    public long size() {
        return ranges.stream().mapToLong(IndexRange::size).sum();
    }

    /** The payload of its frame. */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(8 + ranges.size() * 4);
        IndexRanges.write(ranges, out);
        return out.toBytes();
    }

    /** The selection that {@code payload} encodes. */
    static Selection decode(byte[] payload) throws FormatException {
        ByteReader in = new ByteReader(FrameHeader.FORMAT + " selection", payload, 0, payload.length);
        try {
            List<IndexRange> ranges = IndexRanges.read(in);
            in.finish();
            return new Selection(ranges);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }
}
