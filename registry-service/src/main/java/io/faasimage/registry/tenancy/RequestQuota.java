package io.faasimage.registry.tenancy;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.Tenants;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * The limit of each tenant's requests a second at this service. Thread-safe.
 */
@Component
public class RequestQuota {
    private final Tenants tenants;
    private final RequestRates rates = new RequestRates(System::nanoTime);

    RequestQuota(Tenants tenants) {
        this.tenants = tenants;
    }

    /**
     * Counts a request.
     *
     * @throws ProblemException when the tenant has sent too many
     */
    public void admit(TenantName tenant) {
        Integer limit = tenants.find(tenant)
                .map(TenantInfo::quotas)
                .map(TenantQuotas::requests)
                .orElse(null);
        if (limit != null && !rates.isAdmitted(tenant, limit)) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    Quotas.exceeded(tenant, "requests", limit, "requests a second"),
                    Duration.ofSeconds(1));
        }
    }
}
