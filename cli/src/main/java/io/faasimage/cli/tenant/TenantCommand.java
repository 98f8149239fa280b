package io.faasimage.cli.tenant;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code faasimage tenant}. */
public final class TenantCommand {
    private TenantCommand() {}

    private static Table table() {
        return new Table("=NAME", ">FUNCTIONS", ">BYTES", ">BUILDS", ">REQUESTS", ">CREATED");
    }

    private static String[] row(TenantInfo tenant) {
        TenantQuotas quotas = tenant.quotas();
        return new String[] {
            tenant.name(),
            limit(quotas.functions()),
            limit(quotas.storedBytes()),
            limit(quotas.builds()),
            limit(quotas.requests()),
            Ages.since(tenant.created(), Instant.now())
        };
    }

    private static String limit(@Nullable Number limit) {
        return limit == null ? "-" : limit.toString();
    }

    /** {@code faasimage tenant create NAME}. */
    public static final class Create extends ServiceCommand {
        private final Argument<String> name =
                arguments.parameter("NAME", "1 to 40 lower-case letters, digits and hyphens.");

        private final QuotaOptions quotas = arguments.with(new QuotaOptions());

        @Override
        protected void run(ServiceClient registry) throws IOException {
            TenantInfo created = registry.tenants().create(new TenantRequest(name.get(), quotas.quotas()));
            output.print(
                    created,
                    out -> out.println("created tenant " + created.name()
                            + "; give it a token with: faasimage token create NAME --scope admin --tenant "
                            + created.name()));
        }
    }

    /** {@code faasimage tenant list}. */
    public static final class ListAll extends ServiceCommand {
        @Override
        protected void run(ServiceClient registry) throws IOException {
            output.list(registry.tenants().all(), TenantInfo::name, table(), TenantCommand::row);
        }
    }

    /** {@code faasimage tenant show NAME}. */
    public static final class Show extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Its name.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            output.list(List.of(registry.tenants().get(name.get())), TenantInfo::name, table(), TenantCommand::row);
        }
    }

    /** {@code faasimage tenant set NAME}. */
    public static final class Set extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Its name.");

        private final QuotaOptions quotas = arguments.with(new QuotaOptions());
        private final Argument<Boolean> unlimited = arguments.flag("--unlimited", "Remove all limits first.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            TenantQuotas present = unlimited.get()
                    ? TenantQuotas.NONE
                    : registry.tenants().get(name.get()).quotas();
            TenantInfo changed = registry.tenants().set(name.get(), quotas.over(present));
            output.print(changed, out -> out.println("changed the limits of tenant " + changed.name()));
        }
    }

    /** {@code faasimage tenant delete NAME}. */
    public static final class Delete extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Its name.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.tenants().delete(name.get());
            output.print(Map.of("deleted", name.get()), out -> out.println("deleted tenant " + name.get()));
        }
    }
}
