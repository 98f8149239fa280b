package io.faasimage.registry.images.child;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.tree.FileTree;
import io.faasimage.oci.RegistryLogins;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.StartupSource;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
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
import io.faasimage.refactor.predict.SiblingEvidence;
import io.faasimage.refactor.predict.StartPredictor;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The main class of a child: it refactors one image, as the service's order says. */
public final class ChildProgram {
    /** Its status when its memory does not suffice; the JVM's own for a full heap. */
    static final int OUT_OF_MEMORY = 3;

    /** Its status when the service has died. */
    static final int SERVICE_GONE = 4;

    private static final int MESSAGE_CHARS = 4000;

    private ChildProgram() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        ChildPipe pipe =
                new ChildPipe(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        // Output of libraries must not get between the messages.
        System.setOut(System.err);
        try {
            ServiceLink service = new ServiceLink(pipe);
            service.order().properties().forEach(System::setProperty);
            service.tell(run(service));
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(isOutOfMemory(e) ? OUT_OF_MEMORY : 1);
        }
        // Not a return: the work of threads of libraries is of no use any more. Not a halt: a JVM in training writes
        // its cache now.
        System.exit(0);
    }

    private static ChildRequest run(ServiceLink service) throws IOException {
        try {
            Optional<RefactorResult> result = refactor(service);
            if (result.isPresent()) {
                HandedResult.write(result.get(), service.order().work());
            }
            return new ChildRequest.Ended(result.isPresent());
        } catch (IOException e) {
            if (isOutOfMemory(e)) {
                throw e;
            }
            return e instanceof RefactorException failure
                    ? new ChildRequest.Failed(
                            Optional.of(failure.kind()), clipped(String.valueOf(failure.getMessage())))
                    : new ChildRequest.Failed(Optional.empty(), clipped(e.toString()));
        }
    }

    private static Optional<RefactorResult> refactor(ServiceLink service) throws IOException {
        ChildOrder order = service.order();
        EngineConfig config =
                EngineConfig.defaults(order.work().resolve("layers")).within(order.budget());
        RefactorEngine engine = new RefactorEngine(config);
        SourceOptions options = new SourceOptions(
                order.rules(), Optional.empty(), new OneLogin(order.login()), order.budget(), order.attempts());
        try (ImageSource source = ImageSources.open(order.image().reference(), options)) {
            return engine.refactor(
                    source,
                    resolved(order.image(), source),
                    startup(service),
                    service,
                    Files.createDirectories(HandedResult.output(order.work())),
                    service);
        }
    }

    /** A file of this machine is looked into, as where its layers are depends on it; one in a registry is not. */
    private static ResolvedImage resolved(ResolvedImage image, ImageSource source) throws IOException {
        if (!(image.reference() instanceof ImageLocation.Remote)
                && !source.resolve(Platform.host()).manifest().equals(image.manifest())) {
            throw new RefactorException(
                    Kind.NOT_FOUND, image.reference() + " has another image now; register its function again");
        }
        return image;
    }

    /** The source of the prefetch list for the engine. */
    private static StartupSource startup(ServiceLink service) throws IOException {
        ChildOrder order = service.order();
        if (order.forecast().isEmpty()) {
            return new StartupSource.Traced(TraceCodec.decode(Files.readAllBytes(ChildOrder.trace(order.work()))));
        }
        ChildOrder.Forecast forecast = order.forecast().get();
        Optional<InheritedTrace> inherited = Optional.empty();
        if (forecast.earlier().isPresent()) {
            inherited = Optional.of(new InheritedTrace(
                    forecast.earlier().get(),
                    TraceCodec.decode(Files.readAllBytes(ChildOrder.trace(order.work()))),
                    files(ChildOrder.earlier(order.work()))));
        }
        FileEvidence closure = new ClosureEvidence();
        return new StartupSource.Predicted(new StartPredictor(
                inherited,
                forecast.others()
                        ? List.of(new ProfileEvidence(service, closure), closure, new SiblingEvidence(closure))
                        : List.of()));
    }

    private static Optional<FileTree> files(Path metadata) throws IOException {
        try {
            return Files.exists(metadata)
                    ? Optional.of(ErofsReader.read(Files.readAllBytes(metadata)))
                    : Optional.empty();
        } catch (FormatException e) {
            System.err.println("the files of the earlier image cannot be read, moved files are not found: " + e);
            return Optional.empty();
        }
    }

    /** The login for the one image. */
    private record OneLogin(Optional<RegistryLogins.Login> login) implements RegistryLogins {
        @Override
        public Optional<Login> find(ImageReference reference) {
            return login;
        }
    }

    /** Also memory outside of the heap, which zstd takes. */
    private static boolean isOutOfMemory(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof OutOfMemoryError
                    || (e instanceof ZstdException zstd && zstd.getErrorCode() == Zstd.errMemoryAllocation())) {
                return true;
            }
        }
        return false;
    }

    private static String clipped(String message) {
        return message.length() > MESSAGE_CHARS ? message.substring(0, MESSAGE_CHARS) : message;
    }
}
