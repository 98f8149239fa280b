package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.id.RepositoryPrefix;
import io.faasimage.refactor.image.DockerLogins;
import io.faasimage.refactor.image.RegistryLogins;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.login.LoginTable.Row;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.tenant.TenantScope;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The logins at image registries of each tenant. The one for the most precise name of a repository is used; without
 * one, the default tenant has those of Docker's configuration, which are the operator's. Thread-safe.
 */
@Service
public class Logins implements RegistryLogins {
    private final LoginTable table;
    private final LoginKeys keys;
    private final AuditLog audit;
    private final TransactionOperations transaction;
    private final Clock clock;
    private final RegistryLogins docker = DockerLogins.ofUser();

    Logins(LoginTable table, LoginKeys keys, AuditLog audit, TransactionOperations transaction, Clock clock) {
        this.table = table;
        this.keys = keys;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Stores a login, in the place of an earlier one for the same repositories. */
    LoginInfo put(LoginRequest request) {
        LoginInfo info = new LoginInfo(
                RepositoryPrefix.parse(request.repository()).text(),
                request.user(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        String secret = keys.forWriting().encrypt(request.password(), purpose(info));
        transaction.executeWithoutResult(_ -> {
            LoginInfo before = table.find(info.repository()).map(Row::info).orElse(null);
            table.put(info, secret);
            audit.add(AuditAction.LOGIN_PUT, info.repository(), before, info);
        });
        return info;
    }

    /** All logins by repository, without their passwords. */
    List<LoginInfo> all() {
        return table.all().stream().map(Row::info).toList();
    }

    /** Removes a login. */
    void delete(String repository) {
        transaction.executeWithoutResult(_ -> {
            Row row = table.find(repository)
                    .orElseThrow(() -> ProblemException.notFound(
                            "there is no login for '" + repository + "'; GET /v1/registry-logins lists all"));
            table.delete(repository);
            audit.add(AuditAction.LOGIN_DELETE, repository, row.info(), null);
        });
    }

    @Override
    public Optional<Login> find(ImageReference reference) {
        Optional<Login> stored = table.all().stream()
                .filter(row -> new RepositoryPrefix(row.info().repository()).contains(reference))
                .max(Comparator.comparingInt(row -> row.info().repository().length()))
                .flatMap(this::decrypted);
        return stored.isEmpty() && TenantScope.current().isDefault() ? docker.find(reference) : stored;
    }

    private Optional<Login> decrypted(Row row) {
        return keys.decrypted(row.secret(), purpose(row.info()), row.info().repository())
                .map(password -> new Login(row.info().user(), password));
    }

    private static String purpose(LoginInfo info) {
        return TenantScope.current() + "\n" + info.repository() + "\n" + info.user();
    }
}
