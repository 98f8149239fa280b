package io.faasimage.cli.login;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code faasimage registry}. */
public final class RegistryCommand {
    private RegistryCommand() {}

    /** {@code faasimage registry login REPOSITORY}. */
    public static final class Login extends ServiceCommand {
        private static final int MOST_BYTES = 16_384;

        private final Argument<String> repository = arguments.parameter(
                "REPOSITORY", "HOST[:PORT], or HOST[:PORT]/PATH of a repository or of a folder of them.");
        private final Argument<String> user = arguments
                .option("--user", "NAME", "The user name at the registry.")
                .required();

        @Override
        protected void run(ServiceClient service) throws IOException {
            LoginInfo made = service.logins().put(new LoginRequest(repository.get(), user.get(), password()));
            output.print(
                    made,
                    out -> out.println("the service reads and pushes " + made.repository() + " as " + made.user()
                            + "; the login is tried with the next image from there"));
        }

        private String password() throws IOException {
            Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
            return terminal.isPresent()
                    ? new String(terminal.get().readPassword("Password of %s at %s: ", user.get(), repository.get()))
                    : new String(System.in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
        }
    }

    /** {@code faasimage registry logins}. */
    public static final class Logins extends ServiceCommand {
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
    public static final class Logout extends ServiceCommand {
        private final Argument<String> repository =
                arguments.parameter("REPOSITORY", "As `faasimage registry logins` lists it.");

        @Override
        protected void run(ServiceClient service) throws IOException {
            service.logins().delete(repository.get());
            output.print(
                    Map.of("removed", repository.get()),
                    out -> out.println("removed the login for " + repository.get()));
        }
    }
}
