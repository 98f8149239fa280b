package io.faasimage.registry.images.child;

import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageBudget;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.predict.Profiles;
import io.faasimage.registry.images.prediction.InheritedFiles;
import io.faasimage.registry.images.prediction.StartEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.springframework.util.unit.DataSize;

/** The refactor engine in child processes, one for each image. Thread-safe. */
public final class ChildEngine {
    /** Heap of the service that an entry of an image takes when its plan is published: plan, places, rows. */
    private static final long BYTES_PER_ENTRY = 600;

    /** Heap that the service needs for everything else. */
    private static final long RESERVED_BYTES = 80L << 20;

    private static final int MIN_ENTRIES = 10_000;

    /** A child that reads at most so much lives too short a time for the optimizing compiler (decision 49). */
    private static final long SHORT_BYTES = 32 << 20;

    /** Properties of the JVM that say how hosts are reached and which certificates are trusted. */
    private static final List<String> CONNECTIONS =
            List.of("javax.net.ssl.", "http.", "https.", "socksProxy", "java.net.", "jdk.tls.", "networkaddress.");

    private final SourceOptions options;
    private final HostRules rules;
    private final ImageBudget budget;
    private final DataSize memory;

    /**
     * An engine.
     *
     * @param options how images are read; the logins are not used
     * @param memory heap of a child
     * @param jobs children at the same time
     */
    public ChildEngine(SourceOptions options, HostRules rules, DataSize memory, int jobs) {
        this.options = options;
        this.rules = rules;
        this.budget = withRoom(options.budget(), Runtime.getRuntime().maxMemory(), jobs);
        this.memory = memory;
    }

    private static ImageBudget withRoom(ImageBudget budget, long heap, int jobs) {
        long room = Math.max(MIN_ENTRIES, (heap - RESERVED_BYTES) / BYTES_PER_ENTRY / jobs);
        return new ImageBudget(
                budget.bytesPerSecond(),
                budget.documentBytes(),
                budget.layers(),
                budget.compressedBytes(),
                budget.uncompressedBytes(),
                budget.fileBytes(),
                (int) Math.min(budget.entries(), room),
                budget.metadataBytes());
    }

    /**
     * An image to be refactored.
     *
     * @param image resolved and verified
     * @param login at its registry
     * @param evidence of its starts
     */
    public record Task(ResolvedImage image, Optional<Login> login, StartEvidence evidence) {}

    /**
     * Refactors an image.
     *
     * @param known the objects that are stored already
     * @param work an empty directory of this task alone
     * @param progress receives the child's progress
     * @return the result, whose files lie in {@code work}; empty when too little is known for a plan
     * @throws RefactorException when the child could not read or refactor the image, lacked memory, or was killed
     */
    public Optional<RefactorResult> refactor(Task task, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        ChildOrder order = order(task, work);
        Profiles profiles = task.evidence() instanceof StartEvidence.Earlier(var _, Optional<Profiles> some)
                ? some.orElse(_ -> Optional.empty())
                : _ -> Optional.empty();
        boolean isShort = hand(task.image(), known, work) <= SHORT_BYTES;
        try (ChildProcess child =
                        ChildProcess.start(memory, isShort, work.resolveSibling("child-" + UUID.randomUUID()));
                ChildConversation talk = new ChildConversation(child.pipe(), known, profiles, progress)) {
            boolean made = await(child, new FutureTask<>(() -> talk.run(order)))
                    .orElseThrow(() -> child.death(task.image().reference()));
            if (made) {
                child.train();
            }
            return made ? Optional.of(HandedResult.read(work, task.image().manifest())) : Optional.empty();
        }
    }

    /** Writes the indexes of known layers; returns the bytes of the others, which the child reads. */
    private static long hand(ResolvedImage image, Holdings known, Path work) throws IOException {
        long unread = 0;
        for (LayerDescriptor layer : image.layers()) {
            Optional<byte[]> index = known.layerIndex(layer.digest());
            if (index.isPresent()) {
                Files.write(ChildOrder.index(work, layer.digest()), index.get());
            } else {
                unread += layer.size();
            }
        }
        return unread;
    }

    /** The order; writes the evidence that belongs to it. */
    private ChildOrder order(Task task, Path work) throws IOException {
        Map<String, String> properties = System.getProperties().stringPropertyNames().stream()
                .filter(name -> CONNECTIONS.stream().anyMatch(name::startsWith))
                .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, "")));
        return new ChildOrder(
                task.image(),
                task.login(),
                rules,
                budget,
                options.attempts(),
                work,
                forecast(task.evidence(), work),
                properties);
    }

    private static Optional<ChildOrder.Forecast> forecast(StartEvidence evidence, Path work) throws IOException {
        switch (evidence) {
            case StartEvidence.Traced(Trace trace) -> {
                Files.write(ChildOrder.trace(work), TraceCodec.encode(trace));
                return Optional.empty();
            }
            case StartEvidence.Earlier(Optional<InheritedFiles> inherited, var profiles) -> {
                if (inherited.isPresent()) {
                    Files.write(
                            ChildOrder.trace(work),
                            TraceCodec.encode(inherited.get().trace()));
                    inherited.get().metadata().write(ChildOrder.earlier(work));
                }
                return Optional.of(new ChildOrder.Forecast(
                        inherited.map(earlier -> earlier.image().toString()), profiles.isPresent()));
            }
        }
    }

    /** Reading from a process cannot be interrupted, so another thread does; it ends with the process. */
    private static Optional<Boolean> await(ChildProcess child, FutureTask<Optional<Boolean>> talk) throws IOException {
        Thread thread = Thread.ofPlatform().daemon().name("talk-" + child.pid()).start(talk);
        try {
            return talk.get();
        } catch (InterruptedException e) {
            throw new RefactorException(Kind.CANCELLED, "interrupted", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IOException(e.getCause());
            }
        } finally {
            if (!talk.isDone()) {
                child.close();
            }
            join(thread);
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
