package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.predict.LibraryReads.ReadFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Profiles of the libraries of an image and of its runtime. A library counts fully where the function's code leads to
 * it, as other evidence shows, and else as often as other functions used it. For one image and one thread.
 */
public final class ProfileEvidence implements FileEvidence {
    /** A function more than were seen might read less than these: it counts as half a function that reads nothing. */
    private static final double UNSEEN = 0.5;

    /** A less probable file does not count as imported. */
    private static final double IMPORTED = 0.5;

    private final Profiles profiles;
    private final FileEvidence imports;

    /**
     * Evidence from profiles.
     *
     * @param imports leads to files of the libraries that the function's code imports
     */
    public ProfileEvidence(Profiles profiles, FileEvidence imports) {
        this.profiles = profiles;
        this.imports = imports;
    }

    @Override
    public List<PredictedFile> of(FlatImage image) throws IOException {
        LibraryFiles files = new LibraryFiles(image);
        Set<Library> imported = new HashSet<>();
        for (PredictedFile file : imports.of(image)) {
            if (file.probability() >= IMPORTED) {
                files.libraryOf(file.path()).ifPresent(imported::add);
            }
        }
        List<PredictedFile> predicted = new ArrayList<>();
        files.all().forEach((library, names) -> {
            Optional<Profile> profile = profiles.of(library);
            boolean isBase = library.ecosystem().equals(ProfilePath.RUNTIME);
            profile.ifPresent(known ->
                    add(predicted, known, names, isBase || imported.contains(library) ? 1 : known.used(), isBase));
        });
        return predicted;
    }

    private static void add(
            List<PredictedFile> predicted, Profile profile, Map<String, FilePath> names, double used, boolean isBase) {
        double seen = profile.functions() * profile.used();
        for (ReadFile file : profile.reads().files()) {
            double probability = used * (file.share() * seen) / (seen + UNSEEN);
            Optional.ofNullable(names.get(file.name()))
                    .filter(_ -> probability > 0)
                    .ifPresent(path -> predicted.add(new PredictedFile(
                            path,
                            isBase ? Evidence.BASE : Evidence.LIBRARY,
                            profile.reads().library().coordinates(),
                            probability,
                            file.rank())));
        }
    }
}
