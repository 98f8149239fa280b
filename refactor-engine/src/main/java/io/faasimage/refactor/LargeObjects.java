package io.faasimage.refactor;

import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.piece.PieceCutter;
import io.faasimage.refactor.piece.PieceRules;
import io.faasimage.refactor.piece.ReadChunks;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpoolWriter;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The cutting of an image's large objects into pieces, as far as traces show which parts of them starts read. The
 * pieces go into the spool; one that is stored already is not stored again. For one thread.
 */
final class LargeObjects {
    private final EngineConfig config;
    private final PieceRules rules;
    private final Spool spool;
    private final ProgressListener progress;
    private final Path raw;

    LargeObjects(EngineConfig config, PieceRules rules, Spool spool, Path work, ProgressListener progress) {
        this.config = config;
        this.rules = rules;
        this.spool = spool;
        this.progress = progress;
        this.raw = work.resolve("large-object");
    }

    /** Cuts those of the prefetch list of which starts read only a part. */
    List<PiecedObject> cut(SortedObjects objects) throws IOException {
        List<PiecedObject> pieced = new ArrayList<>();
        try (SpoolWriter writer = spool.writer("pieces")) {
            PieceCutter cutter = new PieceCutter(
                    rules,
                    (_, bytes, length, startup) -> writer.add(
                            new ByteArrayInputStream(bytes, 0, length),
                            length,
                            startup ? config.startupLevel() : config.restLevel()));
            for (int i = 0; i < objects.startupCount(); i++) {
                PlanObject object = objects.objects().get(i);
                Optional<BitSet> read =
                        ReadChunks.of(objects.reads().getOrDefault(object.digest(), List.of()), object.size(), rules);
                if (read.isPresent()) {
                    pieced.add(cut(cutter, i, object, read.get()));
                }
                progress.progress(Phase.CUT, i + 1L, objects.startupCount());
            }
            writer.flush();
        }
        spool.await();
        return pieced;
    }

    private PiecedObject cut(PieceCutter cutter, int index, PlanObject object, BitSet read) throws IOException {
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(raw))) {
                spool.copy(object.digest(), out);
            }
            try (InputStream in = Files.newInputStream(raw)) {
                return cutter.cut(index, object, read, in);
            }
        } finally {
            Files.deleteIfExists(raw);
        }
    }
}
