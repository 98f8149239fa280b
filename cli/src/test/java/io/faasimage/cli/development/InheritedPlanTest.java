package io.faasimage.cli.development;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InheritedPlanTest {
    private static ChainId chain(String layer) {
        return ChainId.ofBase(Digest.of(layer.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aTraceIsInheritedByPathAsOneStart() {
        List<ByteRange> some = List.of(new ByteRange(0, 100));
        Trace earlier = new Trace(
                chain("old"),
                7,
                List.of(
                        new TraceEntry(new FilePath("usr/bin/python3"), 7, 0, 5, 3, some),
                        new TraceEntry(new FilePath("home/app/function/handler.py"), 7, 14, 40, 3, some)));
        Trace inherited = InheritedPlan.inherited(earlier, chain("new"));
        assertThat(inherited)
                .isEqualTo(new Trace(
                        chain("new"),
                        1,
                        List.of(
                                new TraceEntry(new FilePath("usr/bin/python3"), 1, 0, 5, 1, some),
                                TraceEntry.whole(new FilePath("home/app/function/handler.py"), 1, 1, 40))));
    }
}
