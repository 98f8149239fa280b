package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import io.faasimage.format.id.Digest;
import java.io.IOException;

/** {@code faasimage image prediction IMAGE}. */
public final class PredictionCommand extends ServiceCommand {
    private final Argument<String> image = arguments.parameter("IMAGE", "Digest, reference or function name.");
    private final Argument<Boolean> files = arguments.flag("--files", "List every file of the prefetch list.");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Digest digest = Digest.parse(Connections.image(registry, image.get()).digest());
        PredictionInfo prediction = registry.prediction(digest);
        output.show(prediction, screen -> describe(prediction, screen));
    }

    private void describe(PredictionInfo prediction, Screen screen) {
        screen.out().println("plan      " + prediction.plan());
        screen.out()
                .println("coverage  " + percent(prediction.coverage()) + " of the bytes that a start reads, estimated");
        screen.out().println();
        Table sources = new Table("EVIDENCE", ">FILES", ">CONFIDENCE");
        prediction
                .sources()
                .forEach(source ->
                        sources.row(source.evidence(), Integer.toString(source.files()), percent(source.confidence())));
        sources.print(screen);
        if (files.get()) {
            screen.out().println();
            Table all = new Table("EVIDENCE", ">CONFIDENCE", "FROM", "FILE");
            prediction
                    .files()
                    .forEach(file -> all.row(
                            file.evidence(),
                            percent(file.probability()),
                            Printable.line(file.from()),
                            Printable.line(file.path())));
            all.print(screen);
        }
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }
}
