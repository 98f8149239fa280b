package io.faasimage.cli.tenant;

import io.faasimage.api.tenant.TenantQuotas;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit a tenant. */
final class QuotaOptions {
    @Option(names = "--functions", paramLabel = "N", description = "Functions that may be registered.")
    private @Nullable Integer functions;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "Stored bytes above which nothing more is registered or refactored.")
    private @Nullable Long bytes;

    @Option(names = "--builds", paramLabel = "N", description = "Builds that may wait or run at the same time.")
    private @Nullable Integer builds;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Requests a second at each service, on average over ten seconds.")
    private @Nullable Integer requests;

    /** The limits that are named. */
    TenantQuotas quotas() {
        return new TenantQuotas(functions, bytes, builds, requests);
    }

    /** The limits that are named, and of the others those that there are. */
    TenantQuotas over(TenantQuotas present) {
        return new TenantQuotas(
                functions == null ? present.functions() : functions,
                bytes == null ? present.storedBytes() : bytes,
                builds == null ? present.builds() : builds,
                requests == null ? present.requests() : requests);
    }
}
