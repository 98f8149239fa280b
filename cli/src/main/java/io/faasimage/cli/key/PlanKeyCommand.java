package io.faasimage.cli.key;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** {@code faasimage plan-key}. */
public final class PlanKeyCommand {
    private PlanKeyCommand() {}

    /** {@code faasimage plan-key show}. */
    public static final class Show extends ServiceCommand {
        private final Argument<Boolean> all =
                arguments.flag("--all", "Also print the earlier keys that the service still trusts.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            List<PlanKeyInfo> keys = registry.planKeys().stream()
                    .filter(key -> all.get() || key.signs())
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
