package io.faasimage.cli.token;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.command.TimeSpan;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code faasimage token}. */
public final class TokenCommand {
    private TokenCommand() {}

    /** {@code faasimage token create NAME}. */
    public static final class Create extends ServiceCommand {
        private final Argument<String> name =
                arguments.parameter("NAME", "Who or what presents it; with --enrol, the name of the node.");

        private final Argument<List<String>> scopes = arguments.list(
                "--scope", "SCOPE[,SCOPE]", "What it permits: node, deploy, view or admin.", text -> text);
        private final Argument<String> expires = arguments.option(
                "--expires", "TIME", "When it ends, such as 12h or 30d from now (default: never; with --enrol 1h).");

        private final Argument<String> node =
                arguments.option("--node", "NAME", "The only node that a token with the scope node may report.");
        private final Argument<Boolean> enrol = arguments.flag(
                "--enrol", "For a node's agent, which exchanges it once for an identity that it renews by itself.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            NewToken created = registry.tokens()
                    .create(new TokenRequest(
                            name.get(),
                            scopes.get().stream().map(Scope::parse).toList(),
                            expires.orNull() == null
                                    ? null
                                    : TimeSpan.parse("--expires", expires.orNull())
                                            .toSeconds(),
                            node.orNull(),
                            enrol.get()));
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
    public static final class ListAll extends ServiceCommand {
        private final Argument<Boolean> all =
                arguments.flag("--all", "Also list those that have expired or were revoked in the last 30 days.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            Instant now = Instant.now();
            List<TokenInfo> tokens = registry.tokens().all().stream()
                    .filter(token -> all.get() || token.valid(now))
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
    public static final class Revoke extends ServiceCommand {
        private final Argument<String> id = arguments.parameter("ID", "Its ID, from `faasimage token list`.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.tokens().revoke(id.get());
            output.print(Map.of("revoked", id.get()), out -> out.println("revoked " + id.get()));
        }
    }
}
