package io.faasimage.registry.job;

import io.faasimage.api.job.BuildInfo;
import java.util.List;

/** The builds of functions, which the list of jobs shows beside its own; they are above this package. */
public interface Builds {
    /** All builds that are remembered, newest first. */
    List<BuildInfo> all();
}
