package io.faasimage.cli.token;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.command.TimeSpan;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage token}. */
@Command(
        name = "token",
        description = "The tokens that registry-service accepts.",
        subcommands = {TokenCommand.Create.class, TokenCommand.ListAll.class, TokenCommand.Revoke.class})
public final class TokenCommand extends CliCommand {
    @Spec
    private CommandSpec spec;

    @Override
    protected void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: create, list or revoke");
    }

    /** {@code faasimage token create NAME}. */
    @Command(
            name = "create",
            description = {
                "Creates a token and prints it, this one time.",
                "To replace a token, create another one with the same name, give it to its users, and revoke the first."
            })
    static final class Create extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Who or what presents it; with --enrol, the name of the node.")
        private String name;

        @Option(
                names = "--scope",
                split = ",",
                paramLabel = "SCOPE[,SCOPE]",
                description = "What it permits: node, deploy, view or admin.")
        private List<String> scopes = List.of();

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                description = "When it ends, such as 12h or 30d from now (default: never; with --enrol 1h).")
        private @Nullable String expires;

        @Option(
                names = "--node",
                paramLabel = "NAME",
                description = "The only node that a token with the scope node may report.")
        private @Nullable String node;

        @Option(
                names = "--enrol",
                description = "For a node's agent, which exchanges it once for an identity that it renews by itself.")
        private boolean enrol;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            NewToken created = registry.tokens()
                    .create(new TokenRequest(
                            name,
                            scopes.stream().map(Scope::parse).toList(),
                            expires == null
                                    ? null
                                    : TimeSpan.parse("--expires", expires).toSeconds(),
                            node,
                            enrol));
            TokenInfo info = created.info();
            output.messages().ifPresent(out -> {
                out.println("created token " + info.name() + " with the ID " + info.id() + ", which "
                        + (info.expires() == null ? "does not expire" : "expires on " + info.expires())
                        + "; it cannot be shown again:");
                out.flush();
            });
            output.printLine(created, created.token());
        }
    }

    /** {@code faasimage token list}. */
    @Command(name = "list", description = "Lists the tokens, newest first, without their secrets.")
    static final class ListAll extends ServiceCommand {
        @Option(names = "--all", description = "Also list those that have expired or were revoked in the last 30 days.")
        private boolean all;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            Instant now = Instant.now();
            List<TokenInfo> tokens = registry.tokens().all().stream()
                    .filter(token -> all || token.valid(now))
                    .toList();
            Table table = new Table("=ID", "NAME", "=PERMITS", "=STATE", "NODE?", ">CREATED", ">USED");
            output.list(tokens, TokenInfo::id, table, token -> new String[] {
                token.id(),
                token.name(),
                permits(token),
                state(token, now),
                token.node() == null ? "-" : token.node(),
                Ages.since(token.created(), now),
                token.used() == null ? "never" : Ages.since(token.used(), now)
            });
        }

        private static String permits(TokenInfo token) {
            return switch (token.kind()) {
                case ENROLMENT -> "enrolment";
                case NODE -> "node identity";
                case TOKEN -> token.scopes().stream().map(Scope::label).collect(Collectors.joining(","));
            };
        }

        private static String state(TokenInfo token, Instant now) {
            if (token.revoked() != null) {
                return "revoked";
            }
            if (!token.valid(now)) {
                return "expired";
            }
            return token.expires() == null ? "valid" : "valid " + Ages.since(now, token.expires());
        }
    }

    /** {@code faasimage token revoke ID}. */
    @Command(
            name = "revoke",
            description = "Revokes a token: within five seconds no service accepts it. With a node's identity, all"
                    + " identities of that node end.")
    static final class Revoke extends ServiceCommand {
        @Parameters(paramLabel = "ID", description = "Its ID, from `faasimage token list`.")
        private String id;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.tokens().revoke(id);
            output.print(Map.of("revoked", id), out -> out.println("revoked " + id));
        }
    }
}
