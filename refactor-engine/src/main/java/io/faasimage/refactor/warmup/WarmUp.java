package io.faasimage.refactor.warmup;

import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.LayerFile;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.PackFile;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.held.Holdings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A warm-up: it refactors a made-up image a few times and discards the result. A process that does so before its first
 * refactoring has the classes loaded and the hot code compiled: a third of what the first refactoring of a real image
 * takes otherwise.
 */
public final class WarmUp {
    private static final int ROUNDS = 8;

    private WarmUp() {}

    /**
     * Warms the code up, with files in the work directory of {@code config} only; takes a few seconds of one or two
     * processors.
     *
     * @param output an empty directory; empty again afterwards
     * @throws io.faasimage.refactor.fault.RefactorException CANCELLED when the thread is interrupted
     */
    public static void run(EngineConfig config, Path output) throws IOException {
        try (MadeUpImage image = MadeUpImage.create()) {
            Trace trace = image.trace();
            for (int round = 0; round < ROUNDS; round++) {
                RefactorResult result = new RefactorEngine(config)
                        .refactor(image, image.resolved(), trace, Holdings.NONE, output, ProgressListener.NONE);
                remove(result);
            }
        }
    }

    private static void remove(RefactorResult result) throws IOException {
        for (PackFile pack : result.packs()) {
            Files.delete(pack.file());
        }
        for (MetadataImage image : result.metadataImages()) {
            Files.delete(image.file());
        }
        for (LayerFile layer : result.layers()) {
            Files.delete(layer.file());
        }
    }
}
