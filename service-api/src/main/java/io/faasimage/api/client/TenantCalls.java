package io.faasimage.api.client;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.api.tenant.TenantRequest;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that concern tenants, for operators. Blocking, thread-safe. */
public final class TenantCalls {
    private static final String JSON = "application/json";

    private final ServiceCalls calls;

    TenantCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** Creates a tenant. */
    public TenantInfo create(TenantRequest request) throws IOException {
        return calls.read(
                calls.send(calls.post("/v1/tenants", calls.json(request), JSON)), new TypeReference<TenantInfo>() {});
    }

    /** All tenants by name. */
    public List<TenantInfo> all() throws IOException {
        return calls.read(calls.send(calls.get("/v1/tenants")), new TypeReference<List<TenantInfo>>() {});
    }

    /** One tenant. */
    public TenantInfo get(String name) throws IOException {
        return calls.read(calls.send(calls.get(path(name))), new TypeReference<TenantInfo>() {});
    }

    /** Replaces the quotas of a tenant. */
    public TenantInfo set(String name, TenantQuotas quotas) throws IOException {
        return calls.read(
                calls.send(calls.request("PUT", path(name) + "/quotas").with(calls.json(quotas), JSON)),
                new TypeReference<TenantInfo>() {});
    }

    /** Removes a tenant without functions, with its tokens and all that it stored. */
    public void delete(String name) throws IOException {
        calls.bytes(calls.send(calls.request("DELETE", path(name))));
    }

    private static String path(String name) {
        return "/v1/tenants/" + ServiceCalls.segment(name);
    }
}
