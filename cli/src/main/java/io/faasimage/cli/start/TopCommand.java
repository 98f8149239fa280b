package io.faasimage.cli.start;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code faasimage top}. */
public final class TopCommand extends ServiceCommand {
    private static final int MOST_STARTS = 100;
    private static final String BEGIN = "\033[?1049h\033[?25l";
    private static final String END = "\033[?25h\033[?1049l";

    private final Argument<Boolean> once = arguments.flag("--once", "Print once.");
    private final Argument<Integer> interval = arguments
            .option("--interval", "SECONDS", "Time between two updates.", Integer::valueOf)
            .or("2");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (interval.get() < 1 || interval.get() > 3600) {
            throw new IllegalArgumentException("--interval must be 1 to 3600 seconds, not " + interval.get());
        }
        TopView first = look(registry);
        if (once.get() || output.isForPrograms() || !output.screen().terminal()) {
            output.show(first, screen -> first.print(screen, ZoneId.systemDefault()));
            return;
        }
        PrintWriter out = output.screen().out();
        Thread restore = new Thread(() -> {
            out.print(END);
            out.flush();
        });
        Runtime.getRuntime().addShutdownHook(restore);
        out.print(BEGIN);
        TopView view = first;
        while (!Thread.currentThread().isInterrupted()) {
            draw(view, out);
            pause();
            view = next(registry, view, out);
        }
    }

    private static TopView look(ServiceClient registry) throws IOException {
        return new TopView(
                Instant.now(),
                registry.base().getAuthority(),
                registry.overview(),
                registry.nodes(),
                registry.starts()
                        .list(Map.of("limit", Integer.toString(MOST_STARTS)))
                        .items());
    }

    /** The present view; while the service does not answer, the last one with the reason above it. */
    private static TopView next(ServiceClient registry, TopView last, PrintWriter out) throws IOException {
        try {
            return look(registry);
        } catch (ServiceException e) {
            if (!e.retryable()) {
                throw e;
            }
            out.print("\033[H\033[7m" + Printable.line(String.valueOf(e.getMessage())) + "\033[0m\033[K");
            out.flush();
            return last;
        }
    }

    /** Draws over the last view, so that nothing flickers. */
    private void draw(TopView view, PrintWriter out) {
        Screen screen = output.screen();
        StringWriter text = new StringWriter();
        view.print(screen.into(new PrintWriter(text)), ZoneId.systemDefault());
        out.print("\033[H" + text.toString().replace("\n", "\033[K\n") + "\033[J");
        out.flush();
    }

    private void pause() throws InterruptedIOException {
        try {
            TimeUnit.SECONDS.sleep(interval.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
