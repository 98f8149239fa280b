package io.faasimage.registry.tenancy;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.identity.Tokens;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.registry.tenant.Tenants;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The creation, change and removal of tenants; operators have the records of it. Thread-safe. */
@Service
public class TenantService {
    private static final Logger LOG = LoggerFactory.getLogger(TenantService.class);

    private final Tenants tenants;
    private final Tokens tokens;
    private final BlobStore blobs;
    private final JdbcClient jdbc;
    private final AuditLog audit;

    TenantService(Tenants tenants, Tokens tokens, BlobStore blobs, JdbcClient jdbc, AuditLog audit) {
        this.tenants = tenants;
        this.tokens = tokens;
        this.blobs = blobs;
        this.jdbc = jdbc;
        this.audit = audit;
    }

    /** All tenants by name. */
    public List<TenantInfo> all() {
        return tenants.names().stream()
                .map(tenants::find)
                .flatMap(Optional::stream)
                .toList();
    }

    /** One tenant. */
    public TenantInfo get(String name) {
        return tenants.find(tenants.named(name)).orElseThrow(() -> Tenants.unknown(name));
    }

    /** Creates a tenant. */
    public TenantInfo create(String name, TenantQuotas quotas) {
        TenantName tenant;
        try {
            tenant = new TenantName(name);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        }
        return tenants.create(
                        tenant,
                        quotas,
                        created -> audit.add(AuditAction.TENANT_CREATE, name, null, created),
                        undone -> audit.add(AuditAction.TENANT_DELETE, name, undone, null))
                .orElseThrow(
                        () -> new ProblemException(ProblemKind.CONFLICT, "there is a tenant '" + tenant + "' already"));
    }

    /** Replaces the quotas of a tenant. */
    public TenantInfo set(String name, TenantQuotas quotas) {
        TenantInfo before = get(name);
        tenants.set(
                new TenantName(name), quotas, () -> audit.add(AuditAction.TENANT_SET, name, before.quotas(), quotas));
        return get(name);
    }

    /** Removes a tenant without functions, with its tokens and all that it stored. */
    public void delete(String name) {
        TenantInfo info = get(name);
        TenantName tenant = new TenantName(name);
        if (tenant.isDefault()) {
            throw new ProblemException(ProblemKind.CONFLICT, "the tenant 'default' is the operators' own and stays");
        }
        TenantScope.run(tenant, () -> checkUnused(tenant));
        tokens.revokeAll(tenant);
        TenantScope.run(tenant, this::removeBlobs);
        tenants.remove(tenant, () -> audit.add(AuditAction.TENANT_DELETE, name, info, null));
        LOG.info("tenant {} was removed", tenant);
    }

    private void checkUnused(TenantName tenant) {
        long functions =
                jdbc.sql("SELECT COUNT(*) FROM functions").query(Long.class).single();
        long running = jdbc.sql("SELECT COUNT(*) FROM jobs WHERE state = 'RUNNING'")
                .query(Long.class)
                .single();
        if (functions > 0 || running > 0) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "tenant '" + tenant + "' has " + functions + " functions, and " + running
                            + " jobs run; delete the functions first, and wait for what runs");
        }
    }

    private void removeBlobs() {
        List<String> stored =
                jdbc.sql("SELECT name FROM blobs").query(String.class).list();
        try {
            for (String blob : stored) {
                blobs.delete(Blob.parse(blob));
            }
            blobs.delete(new Blob(BlobKind.STORE, "id"));
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemKind.STORAGE,
                    "not all files of the tenant could be removed (" + e + "), and it stays; try again",
                    e);
        }
    }
}
