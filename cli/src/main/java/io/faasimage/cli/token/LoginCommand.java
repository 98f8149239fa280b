package io.faasimage.cli.token;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.StoredTokens;
import io.faasimage.cli.line.Argument;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** {@code faasimage login}. */
public final class LoginCommand extends CliCommand {
    private static final int LONGEST = 16 * 1024;

    private final Connections connections = arguments.with(new Connections());
    private final Argument<Boolean> standardInput =
            arguments.flag("--token-stdin", "Read the token from standard input and do not ask for it.");

    @Override
    protected void run() throws IOException {
        String token = standardInput.get() ? fromInput() : fromTerminal();
        try (ServiceClient registry = connections.registry(token)) {
            registry.functions();
        } catch (ServiceException e) {
            // A token that may not list functions is valid all the same.
            if (e.status() != 403) {
                throw e;
            }
        }
        StoredTokens stored = StoredTokens.ofUser();
        stored.store(connections.addresses(), token);
        output.print(
                Map.of("file", stored.toString()),
                out -> out.println("the token for " + connections.addresses().getFirst() + " is in " + stored));
    }

    private static String fromInput() throws IOException {
        return new String(System.in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
    }

    private static String fromTerminal() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .flatMap(console -> Optional.ofNullable(console.readPassword("Token: ")))
                .map(typed -> new String(typed).strip())
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no terminal to ask for the token; use --token-stdin"));
    }
}
