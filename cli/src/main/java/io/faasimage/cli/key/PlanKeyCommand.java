package io.faasimage.cli.key;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code faasimage plan-key}. */
@Command(
        name = "plan-key",
        description = "The keys that registry-service signs plans with.",
        subcommands = PlanKeyCommand.Show.class)
public final class PlanKeyCommand extends CliCommand {
    @Spec
    private CommandSpec spec;

    @Override
    protected void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: show");
    }

    /** {@code faasimage plan-key show}. */
    @Command(
            name = "show",
            description = {
                "Prints the public key that plans are signed with, as nodes take it: faasimage-node --plan-key FILE.",
                "Compare its ID with the one in the service's log when you do not trust the connection."
            })
    static final class Show extends ServiceCommand {
        @Option(names = "--all", description = "Also print the earlier keys that the service still trusts.")
        private boolean all;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            List<PlanKeyInfo> keys = registry.planKeys().stream()
                    .filter(key -> all || key.signs())
                    .toList();
            if (keys.isEmpty()) {
                throw new IOException("the service does not sign plans; --faasimage.signing.key gives it a key");
            }
            output.messages().ifPresent(err -> {
                keys.forEach(key -> err.println((key.signs() ? "signs with " : "signed before with ") + key.id()));
                err.flush();
            });
            output.printLine(
                    keys,
                    keys.stream()
                            .map(PlanKeyInfo::pem)
                            .collect(Collectors.joining())
                            .strip());
        }
    }
}
