package io.faasimage.refactor.predict;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.format.plan.Library;
import io.faasimage.refactor.predict.LibraryReads.ReadFile;

/**
 * The files of a library or runtime that starts of several functions read.
 *
 * @param reads with the share among the starts that used it
 * @param functions whose starts were counted; older ones count less
 * @param used share of them whose starts used the library at all, 0 to 1
 */
public record Profile(LibraryReads reads, double functions, double used) {
    /** The profile in a message, of at least a part of a function. */
    public static Profile of(ProfileInfo info) {
        return new Profile(
                new LibraryReads(
                        new Library(info.ecosystem(), info.name(), info.version()),
                        info.files().stream()
                                .map(file -> new ReadFile(file.name(), file.share(), file.rank()))
                                .toList()),
                info.functions(),
                info.used());
    }

    /** Checks the numbers. */
    public Profile {
        if (!(functions > 0) || !(used >= 0 && used <= 1)) {
            throw new IllegalArgumentException(
                    "profile of " + reads.library() + " out of range: " + functions + ", " + used);
        }
    }
}
