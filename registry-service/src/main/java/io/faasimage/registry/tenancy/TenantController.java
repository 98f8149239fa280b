package io.faasimage.registry.tenancy;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.api.tenant.TenantRequest;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/tenants}: for operators alone. */
@RestController
@RequestMapping(path = "/v1/tenants", produces = MediaType.APPLICATION_JSON_VALUE)
class TenantController {
    private final TenantService tenants;

    TenantController(TenantService tenants) {
        this.tenants = tenants;
    }

    /** Creates a tenant. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<TenantInfo> create(@RequestBody TenantRequest request) {
        TenantInfo created =
                tenants.create(request.name(), Objects.requireNonNullElse(request.quotas(), TenantQuotas.NONE));
        return ResponseEntity.created(URI.create("/v1/tenants/" + created.name()))
                .body(created);
    }

    /** Lists the tenants by name. */
    @GetMapping
    List<TenantInfo> all() {
        return tenants.all();
    }

    /** One tenant. */
    @GetMapping("/{name}")
    TenantInfo get(@PathVariable String name) {
        return tenants.get(name);
    }

    /** Replaces the quotas of a tenant. */
    @PutMapping(path = "/{name}/quotas", consumes = MediaType.APPLICATION_JSON_VALUE)
    TenantInfo set(@PathVariable String name, @RequestBody TenantQuotas quotas) {
        return tenants.set(name, quotas);
    }

    /** Removes a tenant without functions, with its tokens and all that it stored. */
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name) {
        tenants.delete(name);
    }
}
