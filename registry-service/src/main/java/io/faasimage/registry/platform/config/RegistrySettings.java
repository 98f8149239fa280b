package io.faasimage.registry.platform.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The operator's settings, as {@code --faasimage.<name>=<value>} or {@code FAASIMAGE_<NAME>}; every limit of the
 * service is here.
 *
 * @param data directory of the database, packs, metadata images, plans and traces
 * @param token bearer token of the API; when absent, the one in {@code <data>/token}, made at the first start
 * @param registryCa PEM file of certificate authorities that image registries' certificates may be from, besides the
 *     JVM's own
 * @param localImages whether {@code oci:} and {@code archive:} references, files of this machine, are allowed
 * @param workers refactor jobs that run at the same time
 * @param jobAttempts how often a job is started again after the service died under it
 * @param jobRetries how often a job is tried again after a failure that may pass, such as an image registry that is
 *     down
 * @param jobRetryPause pause before the first of these tries; it doubles up to a minute
 * @param jobRetryFailed when an image is queued again whose job was given up for a reason that may pass
 * @param jobBudget longest time that one run of a job may take
 * @param resolveLimit how long an image registry may take to resolve a reference; less than clients wait for their
 *     answer
 * @param verifyCommand a command, split at spaces, that accepts an image with exit code 0, and refuses it with another
 *     and a last line as the reason; it gets the image's reference and digest, and {@code resolve-limit} as its time.
 *     When absent, all images are accepted
 * @param keptJobs finished jobs that are remembered
 * @param maxTraceBytes longest trace, or list of profiles of libraries, that is accepted
 * @param maxJsonBytes longest JSON body that is accepted
 * @param maxHave plans that a bundle request may name as held
 * @param cachedObjects objects of plans whose places are kept in memory, with about 300 bytes each
 * @param bundleStreams bundles that are sent at the same time, each with 256 KiB outside of the heap; more are answered
 *     with 429
 * @param predict basis of an image's plan before its first start: nothing ({@code none}), the trace of an earlier image
 *     of the same function or repository ({@code traces}), or also profiles of libraries and runtimes and the image's
 *     own files ({@code all})
 * @param shippedProfiles whether predictions may use the profiles of libraries and runtimes that faasimage is shipped
 *     with
 * @param feedback from starts that nodes report
 */
@ConfigurationProperties("faasimage")
public record RegistrySettings(
        @DefaultValue("/var/lib/faasimage-registry") Path data,
        @Nullable String token,
        @Nullable Path registryCa,
        @DefaultValue("false") boolean localImages,
        @DefaultValue("1") int workers,
        @DefaultValue("3") int jobAttempts,
        @DefaultValue("10") int jobRetries,
        @DefaultValue("5s") Duration jobRetryPause,
        @DefaultValue("1h") Duration jobRetryFailed,
        @DefaultValue("1h") Duration jobBudget,
        @DefaultValue("20s") Duration resolveLimit,
        @Nullable String verifyCommand,
        @DefaultValue("1000") int keptJobs,
        @DefaultValue("8388608") int maxTraceBytes,
        @DefaultValue("1048576") int maxJsonBytes,
        @DefaultValue("1000") int maxHave,
        @DefaultValue("300000") int cachedObjects,
        @DefaultValue("512") int bundleStreams,
        @DefaultValue("all") PredictionSource predict,
        @DefaultValue("true") boolean shippedProfiles,
        @DefaultValue Feedback feedback) {
    /**
     * Settings of the feedback from starts that nodes report.
     *
     * @param missStarts how many starts must miss an object before it becomes part of the start-up set
     * @param replanInterval pause between two plans of one image that are made for missed objects
     */
    public record Feedback(
            @DefaultValue("1") int missStarts,
            @DefaultValue("1m") Duration replanInterval) {
        /** Checks the limits. */
        public Feedback {
            if (missStarts < 1 || replanInterval.isNegative()) {
                throw new IllegalArgumentException("the limits of faasimage.feedback.* must be positive");
            }
        }
    }

    /** Checks the limits. */
    public RegistrySettings {
        if (workers < 1 || workers > 16) {
            throw new IllegalArgumentException("faasimage.workers must be 1 to 16, not " + workers);
        }
        if (jobAttempts < 1 || keptJobs < 1 || maxTraceBytes < 1 || maxJsonBytes < 1 || maxHave < 0) {
            throw new IllegalArgumentException("the limits of faasimage.* must be positive");
        }
        if (jobRetries < 0 || jobRetryPause.isNegative() || jobRetryPause.isZero() || jobRetryPause.toDays() > 1) {
            throw new IllegalArgumentException(
                    "faasimage.job-retries must be 0 or more, faasimage.job-retry-pause positive and a day at most");
        }
        if (!jobRetryFailed.isPositive() || !jobBudget.isPositive() || !resolveLimit.isPositive()) {
            throw new IllegalArgumentException("faasimage.job-retry-failed, faasimage.job-budget and"
                    + " faasimage.resolve-limit must be positive");
        }
        if (cachedObjects < 1 || bundleStreams < 1) {
            throw new IllegalArgumentException(
                    "faasimage.cached-objects and faasimage.bundle-streams must be positive");
        }
        data = data.toAbsolutePath().normalize();
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "data " + data + ", " + workers + " workers";
    }
}
