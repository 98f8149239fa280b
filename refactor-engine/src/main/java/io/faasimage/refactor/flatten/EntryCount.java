package io.faasimage.refactor.flatten;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;

/**
 * A counter of the paths of a tree. A reader of layers sees only the entries of the archives; a single deep path in one
 * implies two thousand directories.
 */
final class EntryCount {
    private final long most;
    private long counted;

    EntryCount(long most) {
        this.most = most;
    }

    void count() throws RefactorException {
        if (++counted > most) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the layers have more than the limit of " + most
                            + " entries, counting the directories that are only in other entries' paths; the limit is"
                            + " --faasimage.budget.entries, or what --faasimage.refactor.memory and the service's"
                            + " heap (-Xmx) have room for");
        }
    }
}
