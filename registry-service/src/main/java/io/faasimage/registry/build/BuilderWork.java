package io.faasimage.registry.build;

import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import java.nio.file.Path;

/** Something that a builder is to do. The queue calls its methods without a lock. Thread-safe. */
interface BuilderWork {
    /** What there is to do. */
    BuildTask.Kind kind();

    /** ID of the build. */
    String build();

    /** What a builder gets to know of it. */
    BuildTask task(String lease, int attempt);

    /** The archive of the function's code. */
    Path archive();

    /**
     * A builder reports how far it is.
     *
     * @return up to which byte the output of this attempt is known
     * @throws io.faasimage.registry.problem.ProblemException when nobody waits for it any more
     */
    long report(BuildReport report);

    /** It has ended. */
    void ended(BuildReport.End end);

    /** Its builders died, and it is not given to another one. */
    void lost(String reason);
}
