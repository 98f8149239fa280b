package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.predict.FlatImage;
import io.faasimage.refactor.predict.LibraryFiles;
import io.faasimage.refactor.predict.LibraryReads;
import io.faasimage.refactor.predict.Prediction;
import io.faasimage.refactor.predict.Predictor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The source of an image's prefetch list. */
public sealed interface StartupSource {
    /** Paths that are probably in the list, known before the image is read. */
    Set<FilePath> likely();

    /** The list for an image whose files are known; empty when there is to be no plan. */
    Optional<Startup> of(FlatImage image) throws IOException;

    /**
     * A prefetch list.
     *
     * @param name digest of the trace or prediction that it is from
     * @param files in order
     * @param prediction that it is from, if it is from one
     * @param libraries the files of each library and of the runtime that a trace names; empty of a prediction
     */
    record Startup(
            Digest name, List<StartupFile> files, Optional<Prediction> prediction, List<LibraryReads> libraries) {
        public Startup {
            files = List.copyOf(files);
            libraries = List.copyOf(libraries);
        }
    }

    /**
     * A file of a prefetch list.
     *
     * @param path of the file
     * @param read its entry in a trace; empty of a prediction
     */
    record StartupFile(FilePath path, Optional<TraceEntry> read) {}

    /** A trace of the image's own starts. */
    record Traced(Trace trace) implements StartupSource {
        @Override
        public Set<FilePath> likely() {
            return trace.entries().stream().map(TraceEntry::path).collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public Optional<Startup> of(FlatImage image) {
            return Optional.of(new Startup(
                    TraceCodec.digest(trace),
                    trace.entries().stream()
                            .map(entry -> new StartupFile(entry.path(), Optional.of(entry)))
                            .toList(),
                    Optional.empty(),
                    new LibraryFiles(image).reads(trace)));
        }
    }

    /** A prediction of the first start. */
    record Predicted(Predictor predictor) implements StartupSource {
        @Override
        public Set<FilePath> likely() {
            return predictor.likely();
        }

        @Override
        public Optional<Startup> of(FlatImage image) throws IOException {
            return predictor
                    .predict(image)
                    .map(prediction -> new Startup(
                            prediction.digest(),
                            prediction.files().stream()
                                    .map(file -> new StartupFile(file.path(), Optional.empty()))
                                    .toList(),
                            Optional.of(prediction),
                            List.of()));
        }
    }
}
