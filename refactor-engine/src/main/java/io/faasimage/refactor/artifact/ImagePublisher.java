package io.faasimage.refactor.artifact;

import io.faasimage.format.id.ImageReference;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.Signer;
import io.faasimage.format.trace.Trace;
import io.faasimage.oci.OciRegistry;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.StartupSource;
import io.faasimage.refactor.WorkDirectory;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.predict.ClosureEvidence;
import io.faasimage.refactor.predict.FileEvidence;
import io.faasimage.refactor.predict.InheritedTrace;
import io.faasimage.refactor.predict.ProfileEvidence;
import io.faasimage.refactor.predict.ShippedProfiles;
import io.faasimage.refactor.predict.SiblingEvidence;
import io.faasimage.refactor.predict.StartPredictor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The publisher of an image's plans from the image alone, without a service: it reads the image, makes a plan from a
 * trace or a prediction for each platform, and puts it beside the image. For one thread.
 */
public final class ImagePublisher implements Closeable {
    private final ImageReference image;
    private final ImageSource source;
    private final OciRegistry registry;
    private final PlanPublisher publisher;
    private final Signer signer;
    private final Path directory;

    /**
     * The publisher of an image.
     *
     * @param directory for temporary files, as many bytes as the image has uncompressed
     */
    public ImagePublisher(ImageReference image, SourceOptions options, Signer signer, Path directory)
            throws IOException {
        this.image = image;
        this.source = ImageSources.open(new ImageLocation.Remote(image), options);
        this.registry = new OciRegistry(options.registry());
        this.publisher = new PlanPublisher(registry, signer.publicKey());
        this.signer = signer;
        this.directory = directory;
    }

    /** The platforms with Linux that the image is for. */
    public List<Platform> platforms() throws IOException {
        return source.platforms();
    }

    /**
     * A platform's plan beside its image.
     *
     * @param image with the digest of the platform's manifest
     * @param evidence of the plan: the trace of this image, an inherited trace, or a prediction
     * @param result of the refactoring
     * @param published in the registry
     */
    public record PlatformPlan(
            ImageReference image, Evidence evidence, RefactorResult result, PlanPublisher.Published published) {}

    /** The evidence of a plan. */
    public enum Evidence {
        /** A trace of this very image. */
        TRACE,
        /** The trace of another image, whose files are found again by their paths. */
        INHERITED,
        /** The image's files, and profiles of its libraries and its runtime. */
        PREDICTION
    }

    /**
     * Plans and publishes one platform's image.
     *
     * @param trace of this image or another one; without, the plan is predicted
     * @return empty when what is known of its starts does not make them faster; nothing is published then
     */
    public Optional<PlatformPlan> publish(Platform platform, Optional<Trace> trace, ProgressListener progress)
            throws IOException {
        ResolvedImage resolved = source.resolve(platform);
        Evidence evidence = trace.map(
                        known -> known.chain().equals(resolved.topChain()) ? Evidence.TRACE : Evidence.INHERITED)
                .orElse(Evidence.PREDICTION);
        Files.createDirectories(directory);
        try (WorkDirectory work = WorkDirectory.create(directory)) {
            Optional<RefactorResult> result = new RefactorEngine(
                            EngineConfig.defaults(work.path().resolve("layers")))
                    .refactor(
                            source,
                            resolved,
                            startup(evidence, trace),
                            Holdings.NONE,
                            work.path().resolve("result"),
                            progress);
            if (result.isEmpty()) {
                return Optional.empty();
            }
            ImageReference fixed = image.at(resolved.manifest());
            PlanPublisher.Published published = publish(fixed, platform, evidence, result.get(), work.path());
            return Optional.of(new PlatformPlan(fixed, evidence, result.get(), published));
        }
    }

    private PlanPublisher.Published publish(
            ImageReference fixed, Platform platform, Evidence evidence, RefactorResult result, Path work)
            throws IOException {
        try (ResultFrames frames = new ResultFrames(result)) {
            return publisher.publish(
                    new PlanPublisher.Publication(
                            fixed,
                            result.plan(),
                            signed(result, platform),
                            evidence != Evidence.TRACE,
                            result.metadataImages()),
                    frames,
                    work);
        }
    }

    /** Nodes do not know the variant of their processor. */
    private SignedDocument signed(RefactorResult result, Platform platform) throws IOException {
        String name = platform.os() + "/" + platform.architecture();
        byte[] document = PlanStatement.of(result.planDigest(), result.plan(), name, Instant.now())
                .encode();
        return new SignedDocument(document, signer.publicKey().ids().getFirst(), signer.sign(document));
    }

    private static StartupSource startup(Evidence evidence, Optional<Trace> trace) {
        if (evidence == Evidence.TRACE) {
            return new StartupSource.Traced(trace.orElseThrow());
        }
        FileEvidence closure = new ClosureEvidence();
        return new StartupSource.Predicted(new StartPredictor(
                trace.map(known -> new InheritedTrace("the given trace", known, Optional.empty())),
                List.of(new ProfileEvidence(new ShippedProfiles(), closure), closure, new SiblingEvidence(closure))));
    }

    @Override
    public void close() throws IOException {
        source.close();
        registry.close();
    }
}
