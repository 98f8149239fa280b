package io.faasimage.cli.token;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.StoredTokens;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code faasimage logout}. */
@Command(
        name = "logout",
        description = "Removes the token that `faasimage login` keeps for the service at this address. The token stays"
                + " valid until it expires or is revoked.")
public final class LogoutCommand extends CliCommand {
    @Mixin
    private Connections connections;

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
