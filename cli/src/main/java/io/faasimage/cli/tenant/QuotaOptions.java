package io.faasimage.cli.tenant;

import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.line.ArgumentGroup;
import io.faasimage.cli.line.Arguments;

/** The options that limit a tenant. */
final class QuotaOptions implements ArgumentGroup {
    private final Arguments arguments = new Arguments();

    private final Argument<Integer> functions =
            arguments.option("--functions", "N", "Functions that may be registered.", Integer::valueOf);
    private final Argument<Long> bytes = arguments.option(
            "--bytes", "N", "Stored bytes above which nothing more is registered or refactored.", Long::valueOf);
    private final Argument<Integer> builds =
            arguments.option("--builds", "N", "Builds that may wait or run at the same time.", Integer::valueOf);
    private final Argument<Integer> requests = arguments.option(
            "--requests", "N", "Requests a second at each service, on average over ten seconds.", Integer::valueOf);

    @Override
    public Arguments arguments() {
        return arguments;
    }

    /** The limits that are named. */
    TenantQuotas quotas() {
        return new TenantQuotas(functions.orNull(), bytes.orNull(), builds.orNull(), requests.orNull());
    }

    /** The limits that are named, and of the others those that there are. */
    TenantQuotas over(TenantQuotas present) {
        return new TenantQuotas(
                functions.orNull() == null ? present.functions() : functions.orNull(),
                bytes.orNull() == null ? present.storedBytes() : bytes.orNull(),
                builds.orNull() == null ? present.builds() : builds.orNull(),
                requests.orNull() == null ? present.requests() : requests.orNull());
    }
}
