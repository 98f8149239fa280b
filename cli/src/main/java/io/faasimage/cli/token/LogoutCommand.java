package io.faasimage.cli.token;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.StoredTokens;
import java.io.IOException;
import java.util.Map;

/** {@code faasimage logout}. */
public final class LogoutCommand extends CliCommand {
    private final Connections connections = arguments.with(new Connections());

    @Override
    protected void run() throws IOException {
        StoredTokens stored = StoredTokens.ofUser();
        boolean known = stored.forget(connections.addresses());
        output.print(
                Map.of("removed", known),
                out -> out.println(
                        known
                                ? "removed the token for "
                                        + connections.addresses().getFirst()
                                : "there is no token for "
                                        + connections.addresses().getFirst() + " in " + stored));
    }
}
