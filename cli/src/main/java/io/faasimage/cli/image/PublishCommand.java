package io.faasimage.cli.image;

import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.cli.terminal.Table;
import io.faasimage.format.FormatException;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.statement.KeyFile;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.oci.UserHosts;
import io.faasimage.refactor.artifact.ImagePublisher;
import io.faasimage.refactor.artifact.ImagePublisher.PlatformPlan;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** {@code faasimage publish IMAGE}. */
public final class PublishCommand extends CliCommand {
    private final Argument<String> image = arguments.parameter("IMAGE", "Reference of the image in its registry.");
    private final Argument<Path> key = arguments
            .option(
                    "--key",
                    "FILE",
                    "Private key that signs the plan, as `openssl genpkey -algorithm ed25519` makes it; nodes pin its"
                            + " public key with --plan-key.",
                    Path::of)
            .required();
    private final Argument<Path> trace = arguments.option(
            "--trace",
            "FILE",
            "Trace of a start of this image, or of an earlier one, whose files are found again by their paths.",
            Path::of);
    private final Argument<Boolean> predict = arguments.flag(
            "--predict", "Predict what starts read from the image's files (the default without --trace).");
    private final Argument<List<String>> platforms = arguments.each(
            "--platform", "OS/ARCH", "Publish for this platform alone; may be given several times (default: all).");
    private final Argument<Path> authorities = arguments.option(
            "--registry-ca",
            "FILE",
            "PEM file with certificate authorities of the registry, in addition to the JVM's own.",
            Path::of);
    private final Argument<List<String>> plainHttp =
            arguments.each("--plain-http", "HOST[:PORT]", "A registry without TLS; this machine's need no mention.");
    private final Argument<Path> directory = arguments
            .option("--work", "DIR", "Temporary files, as large as the image uncompressed.", Path::of)
            .or(System.getProperty("java.io.tmpdir"));

    /** A platform's plan, as printed. */
    private record Row(
            String platform,
            String image,
            String plan,
            String artifact,
            String evidence,
            boolean isNew,
            boolean byTag,
            int startFiles,
            long packBytes,
            long sentBytes,
            long imageBytes,
            int removed,
            int kept) {
        static Row of(Platform platform, PlatformPlan plan) {
            return new Row(
                    platform.toString(),
                    plan.image().toString(),
                    plan.result().planDigest().toString(),
                    plan.published().artifact().toString(),
                    plan.evidence().name().toLowerCase(Locale.ROOT),
                    plan.published().isNew(),
                    plan.published().byTag(),
                    plan.result().plan().startupCount(),
                    plan.published().packBytes(),
                    plan.published().sentBytes(),
                    plan.result().report().compressedImageBytes(),
                    plan.published().removed(),
                    plan.published().kept());
        }
    }

    @Override
    protected void run() throws IOException {
        if (trace.orNull() != null && predict.get()) {
            throw new IllegalArgumentException("--trace and --predict exclude each other");
        }
        ImageReference reference = ImageReference.parse(image.get());
        KeyFile signer = KeyFile.read(key.get());
        Optional<Trace> known = trace.orNull() == null ? Optional.empty() : Optional.of(read(trace.get()));
        SourceOptions options = SourceOptions.defaults()
                .withRules(new UserHosts(Set.copyOf(plainHttp.get()), "faasimage publish"))
                .withTls(tls());
        List<Row> rows = new ArrayList<>();
        List<Platform> without = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try (ImagePublisher publisher = new ImagePublisher(reference, options, signer, directory.get());
                Progress progress = output.progress()) {
            List<Platform> wanted = platforms.get().isEmpty()
                    ? publisher.platforms()
                    : platforms.get().stream().map(Platform::parse).toList();
            for (Platform platform : wanted) {
                try {
                    Optional<PlatformPlan> plan = publisher.publish(
                            platform,
                            known,
                            (phase, done, total) -> progress.show(
                                    platform + ": " + phase.name().toLowerCase(Locale.ROOT), done, total));
                    plan.ifPresentOrElse(made -> rows.add(Row.of(platform, made)), () -> without.add(platform));
                } catch (IOException e) {
                    failures.add(platform + ": " + e.getMessage());
                }
            }
        }
        output.show(rows, screen -> {
            Table table =
                    new Table("=PLATFORM", "=PLAN FROM", ">START FILES", ">PACKS", ">IMAGE", ">UPLOADED", "ARTIFACT");
            rows.forEach(row -> table.row(
                    row.platform(),
                    row.evidence(),
                    String.valueOf(row.startFiles()),
                    Output.bytes(row.packBytes()),
                    Output.bytes(row.imageBytes()),
                    row.isNew() ? Output.bytes(row.sentBytes()) : "(is there)",
                    row.artifact()));
            if (!rows.isEmpty()) {
                table.print(screen);
            }
        });
        output.messages().ifPresent(err -> {
            without.forEach(
                    platform -> err.println(platform + ": nothing is published; too little is known of its starts"
                            + " to make them faster. Trace a start: faasimage trace --save FILE"));
            rows.stream()
                    .filter(row -> row.kept() > 0)
                    .forEach(row -> err.println(row.platform() + ": the registry does"
                            + " not let older plans be removed; " + row.kept() + " stay"));
            err.flush();
        });
        if (!failures.isEmpty()) {
            throw new IOException(String.join("; ", failures));
        }
        if (rows.isEmpty()) {
            throw new IOException("no plan was published for " + reference);
        }
    }

    private Optional<SSLContext> tls() throws IOException {
        return authorities.orNull() == null
                ? Optional.empty()
                : Optional.of(TrustedAuthorities.with(authorities.get()).context());
    }

    private static Trace read(Path file) throws IOException {
        try {
            return TraceCodec.decode(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new IOException("the trace " + file + " does not exist", e);
        } catch (FormatException e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
    }
}
