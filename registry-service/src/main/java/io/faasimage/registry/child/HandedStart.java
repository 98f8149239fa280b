package io.faasimage.registry.child;

import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.tree.FileTree;
import io.faasimage.refactor.KeptTrees;
import io.faasimage.refactor.StartupSource;
import io.faasimage.refactor.predict.ClosureEvidence;
import io.faasimage.refactor.predict.FileEvidence;
import io.faasimage.refactor.predict.InheritedTrace;
import io.faasimage.refactor.predict.ParsedContents;
import io.faasimage.refactor.predict.ProfileEvidence;
import io.faasimage.refactor.predict.SiblingEvidence;
import io.faasimage.refactor.predict.StartPredictor;
import io.faasimage.registry.prediction.InheritedFiles;
import io.faasimage.registry.prediction.StartEvidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The evidence of an image's starts, as it is handed to a child: the files {@code trace} and {@code earlier} (a
 * metadata image) of the work directory, as far as there are any.
 */
final class HandedStart {
    private HandedStart() {}

    /** Writes the files; returns the rest, which is part of the order. */
    static Optional<ChildOrder.Forecast> write(StartEvidence evidence, Path work) throws IOException {
        switch (evidence) {
            case StartEvidence.Traced(Trace trace) -> {
                Files.write(trace(work), TraceCodec.encode(trace));
                return Optional.empty();
            }
            case StartEvidence.Earlier(Optional<InheritedFiles> inherited, var profiles) -> {
                if (inherited.isPresent()) {
                    Files.write(trace(work), TraceCodec.encode(inherited.get().trace()));
                    inherited.get().metadata().write(earlier(work));
                }
                return Optional.of(new ChildOrder.Forecast(
                        inherited.map(earlier -> earlier.image().toString()), profiles.isPresent()));
            }
        }
    }

    /** The source of the prefetch list for the engine. */
    static StartupSource read(ChildOrder order, ServiceLink service, ParsedContents parsed, KeptTrees trees)
            throws IOException {
        Path work = Path.of(order.work());
        try {
            if (order.forecast().isPresent()) {
                return new StartupSource.Predicted(new StartPredictor(
                        inherited(order.forecast().get(), work, trees),
                        order.forecast().get().others() ? others(service, parsed) : List.of()));
            }
            return new StartupSource.Traced(TraceCodec.decode(Files.readAllBytes(trace(work))));
        } catch (FormatException e) {
            throw new IOException("the service handed something else than a trace or files over", e);
        }
    }

    private static Optional<InheritedTrace> inherited(ChildOrder.Forecast forecast, Path work, KeptTrees trees)
            throws IOException {
        if (forecast.earlier().isEmpty()) {
            return Optional.empty();
        }
        Trace trace = TraceCodec.decode(Files.readAllBytes(trace(work)));
        return Optional.of(new InheritedTrace(forecast.earlier().get(), trace, files(earlier(work), trees)));
    }

    private static Optional<FileTree> files(Path metadata, KeptTrees trees) throws IOException {
        try {
            if (!Files.exists(metadata)) {
                return Optional.empty();
            }
            byte[] image = Files.readAllBytes(metadata);
            Optional<FileTree> known = trees.whole(Digest.of(image));
            return known.isPresent() ? known : Optional.of(ErofsReader.read(image));
        } catch (FormatException e) {
            System.err.println("the files of the earlier image cannot be read, moved files are not found: " + e);
            return Optional.empty();
        }
    }

    private static List<FileEvidence> others(ServiceLink service, ParsedContents parsed) {
        FileEvidence closure = new ClosureEvidence(parsed);
        ProfileEvidence profiles = new ProfileEvidence(
                library -> {
                    try {
                        return service.ask(new ChildRequest.ProfileOf(library), ChildAnswer.ProfileFound.class)
                                .profile();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                closure);
        return List.of(profiles, closure, new SiblingEvidence(closure));
    }

    private static Path trace(Path work) {
        return work.resolve("trace");
    }

    private static Path earlier(Path work) {
        return work.resolve("earlier");
    }
}
