package io.faasimage.registry.build;

import io.faasimage.builder.BuildListener.Phase;
import io.faasimage.builder.BuildRequest;
import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.BuildTask.ImageLogin;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One build that a builder runs: its reports become progress and output in the database, its end the registration of
 * the function. Thread-safe.
 */
final class BuildRun implements BuilderWork {
    private static final Logger LOG = LoggerFactory.getLogger(BuildRun.class);

    /** A builder bounds what it sends; this is for one that does not. */
    private static final long MAX_OUTPUT = 4 << 20;

    private static final String AGAIN = "the builder ended before the build did; it begins again\n";

    private final BuildOrder order;
    private final BuildParts parts;
    private final BuildRuns runs;
    private @Nullable String progress;
    private long base;

    /** A build. */
    BuildRun(BuildOrder order, BuildParts parts, BuildRuns runs) {
        this.order = order;
        this.parts = parts;
        this.runs = runs;
    }

    @Override
    public BuildTask.Kind kind() {
        return BuildTask.Kind.BUILD;
    }

    @Override
    public String build() {
        return order.id();
    }

    @Override
    public Path archive() {
        return parts.files().archive(order.id());
    }

    @Override
    public BuildTask task(String lease, int attempt) {
        begin(attempt);
        return new BuildTask(lease, order.id(), attempt, kind(), order.request(), logins(order.request()));
    }

    private synchronized void begin(int attempt) {
        parts.builds().progress(order.id(), "starts", 0, 0);
        progress = null;
        base = parts.outputs().size(order.id());
        if (attempt > 1) {
            byte[] line = AGAIN.getBytes(StandardCharsets.UTF_8);
            parts.outputs().add(order.id(), base, line);
            base += line.length;
        }
    }

    /** Those that there is a login for; the others are read without. */
    private List<ImageLogin> logins(BuildRequest request) {
        Map<String, ImageLogin> all = new LinkedHashMap<>();
        add(request.target(), all);
        for (ImageLocation image :
                List.of(request.runtime().image(), request.runtime().installImage())) {
            if (image instanceof ImageLocation.Remote remote) {
                add(remote.reference(), all);
            }
        }
        return List.copyOf(all.values());
    }

    private void add(ImageReference image, Map<String, ImageLogin> all) {
        String repository = image.registry() + "/" + image.repository();
        parts.images()
                .options()
                .logins()
                .find(image)
                .ifPresent(login -> all.put(repository, new ImageLogin(repository, login.user(), login.password())));
    }

    @Override
    public synchronized long report(BuildReport report) {
        @Nullable Phase phase = report.phase();
        if (phase != null) {
            progress(phase, report.done(), report.total());
        }
        return print(report);
    }

    private void progress(Phase phase, int done, int total) {
        String now = phase + " " + done + "/" + total;
        if (now.equals(progress)) {
            return;
        }
        if (!parts.builds().progress(order.id(), describe(phase), done, total)) {
            abandoned();
            throw ProblemException.notFound("build " + order.id() + " has ended");
        }
        progress = now;
    }

    /** Output that comes again is known; what is missing before it comes again. */
    private long print(BuildReport report) {
        byte[] more = report.printed();
        long have = parts.outputs().size(order.id()) - base;
        long end = report.position() + more.length;
        if (have > MAX_OUTPUT) {
            return end;
        }
        if (more.length == 0 || report.position() != have) {
            return have;
        }
        return parts.outputs().add(order.id(), base + have, more) ? end : have;
    }

    private static String describe(Phase phase) {
        return switch (phase) {
            case RUNTIME -> "fetches the runtime";
            case LIBRARIES -> "installs the libraries";
            case LAYERS -> "writes the layers";
            case PUSH -> "pushes the layers";
        };
    }

    private void abandoned() {
        LOG.warn(
                "build {} of function {} was abandoned when another service considered this one dead: nothing is"
                        + " registered",
                order.id(),
                order.function().name());
    }

    @Override
    public void ended(BuildReport.End end) {
        runs.after(() -> {
            try {
                finish(end);
            } finally {
                runs.clean(order);
            }
        });
    }

    private void finish(BuildReport.End end) {
        if (end.error() != null || end.manifest() == null) {
            runs.fail(order, Objects.requireNonNullElse(end.error(), "the builder reported neither image nor error"));
            return;
        }
        try {
            Digest manifest = Digest.parse(end.manifest());
            if (!parts.builds().progress(order.id(), "registers the function", 0, 0)) {
                abandoned();
                return;
            }
            order.actor().call(() -> parts.functions().register(order.function()));
            parts.builds().done(order.id(), manifest.toString());
            LOG.info(
                    "build {} of function {} done: {}",
                    order.id(),
                    order.function().name(),
                    manifest);
        } catch (ProblemException e) {
            runs.fail(order, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "build {} of function {} failed",
                    order.id(),
                    order.function().name(),
                    e);
            runs.fail(order, "the service failed in an unexpected way (" + e + "); see its log");
        }
    }

    @Override
    public void lost(String reason) {
        try {
            runs.fail(order, reason);
        } finally {
            runs.clean(order);
        }
    }
}
