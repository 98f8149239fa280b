package io.faasimage.cli.tenant;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage tenant}. */
@Command(
        name = "tenant",
        description = "The tenants of registry-service; for operators, who have an admin token of the tenant default.",
        subcommands = {
            TenantCommand.Create.class,
            TenantCommand.ListAll.class,
            TenantCommand.Show.class,
            TenantCommand.Set.class,
            TenantCommand.Delete.class
        })
public final class TenantCommand extends CliCommand {
    @Spec
    private CommandSpec spec;

    @Override
    protected void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: create, list, show, set or delete");
    }

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
    @Command(name = "create", description = "Creates a tenant; without a limit where none is named.")
    static final class Create extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "1 to 40 lower-case letters, digits and hyphens.")
        private String name;

        @Mixin
        private QuotaOptions quotas;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            TenantInfo created = registry.tenants().create(new TenantRequest(name, quotas.quotas()));
            output.print(
                    created,
                    out -> out.println("created tenant " + created.name()
                            + "; give it a token with: faasimage token create NAME --scope admin --tenant "
                            + created.name()));
        }
    }

    /** {@code faasimage tenant list}. */
    @Command(name = "list", description = "Lists the tenants with their limits.")
    static final class ListAll extends ServiceCommand {
        @Override
        protected void run(ServiceClient registry) throws IOException {
            output.list(registry.tenants().all(), TenantInfo::name, table(), TenantCommand::row);
        }
    }

    /** {@code faasimage tenant show NAME}. */
    @Command(name = "show", description = "Shows a tenant with its limits.")
    static final class Show extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            output.list(List.of(registry.tenants().get(name)), TenantInfo::name, table(), TenantCommand::row);
        }
    }

    /** {@code faasimage tenant set NAME}. */
    @Command(name = "set", description = "Changes the limits that are named.")
    static final class Set extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name;

        @Mixin
        private QuotaOptions quotas;

        @Option(names = "--unlimited", description = "Remove all limits first.")
        private boolean unlimited;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            TenantQuotas present =
                    unlimited ? TenantQuotas.NONE : registry.tenants().get(name).quotas();
            TenantInfo changed = registry.tenants().set(name, quotas.over(present));
            output.print(changed, out -> out.println("changed the limits of tenant " + changed.name()));
        }
    }

    /** {@code faasimage tenant delete NAME}. */
    @Command(
            name = "delete",
            description = "Removes a tenant that has no functions, with its tokens and all that it stored.")
    static final class Delete extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.tenants().delete(name);
            output.print(Map.of("deleted", name), out -> out.println("deleted tenant " + name));
        }
    }
}
