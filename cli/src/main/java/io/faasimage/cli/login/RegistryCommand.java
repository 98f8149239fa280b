package io.faasimage.cli.login;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage registry}. */
@Command(
        name = "registry",
        description = "The logins with which registry-service reads and pushes images at OCI registries.",
        subcommands = {RegistryCommand.Login.class, RegistryCommand.Logins.class, RegistryCommand.Logout.class})
public final class RegistryCommand extends CliCommand {
    @Spec
    private CommandSpec spec;

    @Override
    protected void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: login, logins or logout");
    }

    /** {@code faasimage registry login REPOSITORY}. */
    @Command(
            name = "login",
            description = {
                "Gives the service a login, in the place of an earlier one for the same repositories.",
                "The password is asked for, or read from standard input; the service stores it encrypted."
            })
    static final class Login extends ServiceCommand {
        private static final int MOST_BYTES = 16_384;

        @Parameters(
                paramLabel = "REPOSITORY",
                description = "HOST[:PORT], or HOST[:PORT]/PATH of a repository or of a folder of them.")
        private String repository;

        @Option(names = "--user", required = true, paramLabel = "NAME", description = "The user name at the registry.")
        private String user;

        @Override
        protected void run(ServiceClient service) throws IOException {
            LoginInfo made = service.logins().put(new LoginRequest(repository, user, password()));
            output.print(
                    made,
                    out -> out.println("the service reads and pushes " + made.repository() + " as " + made.user()
                            + "; the login is tried with the next image from there"));
        }

        private String password() throws IOException {
            Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
            return terminal.isPresent()
                    ? new String(terminal.get().readPassword("Password of %s at %s: ", user, repository))
                    : new String(System.in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
        }
    }

    /** {@code faasimage registry logins}. */
    @Command(name = "logins", description = "Lists the logins, without their passwords.")
    static final class Logins extends ServiceCommand {
        @Override
        protected void run(ServiceClient service) throws IOException {
            Instant now = Instant.now();
            List<LoginInfo> logins = service.logins().all();
            Table table = new Table("=REPOSITORY", "USER", ">GIVEN");
            output.list(logins, LoginInfo::repository, table, login ->
                    new String[] {login.repository(), login.user(), Ages.since(login.created(), now)});
        }
    }

    /** {@code faasimage registry logout REPOSITORY}. */
    @Command(name = "logout", description = "Removes a login.")
    static final class Logout extends ServiceCommand {
        @Parameters(paramLabel = "REPOSITORY", description = "As `faasimage registry logins` lists it.")
        private String repository;

        @Override
        protected void run(ServiceClient service) throws IOException {
            service.logins().delete(repository);
            output.print(Map.of("removed", repository), out -> out.println("removed the login for " + repository));
        }
    }
}
