package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.PullLogin;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.id.RepositoryPrefix;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.RegistryLogins;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.login.FunctionLoginTable.Row;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.tenant.TenantScope;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * The logins that functions were deployed with, each for reading the repository of the function's image. They go before
 * the {@link Logins} of administrators, which are for more than one function, and builds do not push with them. Of
 * several functions of one repository the login that came last is used. Thread-safe.
 */
@Service
public class FunctionLogins implements RegistryLogins {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionLogins.class);

    private final FunctionLoginTable table;
    private final LoginKeys keys;
    private final Logins others;
    private final AuditLog audit;
    private final Clock clock;

    FunctionLogins(FunctionLoginTable table, LoginKeys keys, Logins others, AuditLog audit, Clock clock) {
        this.table = table;
        this.keys = keys;
        this.others = others;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Optional<Login> find(ImageReference reference) {
        return table.newest(RepositoryPrefix.of(reference).text())
                .flatMap(this::decrypted)
                .or(() -> others.find(reference));
    }

    private Optional<Login> decrypted(Row row) {
        return keys.decrypted(
                        row.secret(),
                        purpose(row.function(), row.info()),
                        row.info().repository())
                .map(password -> new Login(row.info().user(), password));
    }

    /**
     * Keeps the login that a function was registered with, in the place of an earlier one; without a new one, the
     * earlier one stays for the same repository. Needs the transaction of the registration.
     */
    public void registered(String function, String reference, Optional<PullLogin> login) {
        Optional<LoginInfo> before = table.find(function).map(Row::info);
        if (login.isEmpty() && before.isEmpty()) {
            return;
        }
        Optional<String> repository = repository(reference);
        if (login.isPresent() && repository.isPresent()) {
            before.ifPresent(_ -> table.delete(function));
            keep(function, repository.get(), login.get(), before);
        } else if (!before.map(LoginInfo::repository).equals(repository)) {
            removed(function);
        }
    }

    private void keep(String function, String repository, PullLogin login, Optional<LoginInfo> before) {
        LoginInfo info = new LoginInfo(repository, login.user(), clock.instant().truncatedTo(ChronoUnit.MICROS));
        LoginKey key;
        try {
            key = keys.forWriting();
        } catch (ProblemException e) {
            LOG.warn("the login of function {} for {} is not kept: {}", function, repository, e.getMessage());
            return;
        }
        table.add(function, info, key.encrypt(login.password(), purpose(function, info)));
        audit.add(AuditAction.LOGIN_PUT, object(function, repository), before.orElse(null), info);
    }

    /** Removes the login of a function, if it has one. Needs the transaction in which the function goes. */
    public void removed(String function) {
        table.find(function).map(Row::info).ifPresent(info -> {
            table.delete(function);
            audit.add(AuditAction.LOGIN_DELETE, object(function, info.repository()), info, null);
        });
    }

    private static Optional<String> repository(String reference) {
        return ImageLocation.parse(reference) instanceof ImageLocation.Remote remote
                ? Optional.of(RepositoryPrefix.of(remote.reference()).text())
                : Optional.empty();
    }

    private static String object(String function, String repository) {
        return repository + " of function " + function;
    }

    private static String purpose(String function, LoginInfo info) {
        return TenantScope.current() + "\n" + info.repository() + "\n" + info.user() + "\nfunction " + function;
    }
}
