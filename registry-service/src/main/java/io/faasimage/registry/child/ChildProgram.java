package io.faasimage.registry.child;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.RegistryLogins;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.KeptTrees;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.piece.PieceRules;
import io.faasimage.refactor.predict.ParsedContents;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The main class of a child: it refactors one image after the other, as the service's orders say, and ends with it. */
public final class ChildProgram {
    /** Its status when its memory does not suffice; the JVM's own for a full heap. */
    static final int OUT_OF_MEMORY = 3;

    /** Its status when the service has died. */
    static final int SERVICE_GONE = 4;

    private static final int MESSAGE_CHARS = 4000;

    /** Shares of the heap: an eighth for parsed contents, and for trees; less for the few contents read whole. */
    private static final int PARSED_SHARE = 8;

    private static final int TREE_SHARE = 8;
    private static final int READ_SHARE = 32;

    /** Caches that one job leaves for the next; no entry depends on the image. */
    private record Caches(ParsedContents parsed, KeptTrees trees, SmallContents read) {
        static Caches empty() {
            long heap = Runtime.getRuntime().maxMemory();
            return new Caches(
                    new ParsedContents(heap / PARSED_SHARE),
                    new KeptTrees(heap / TREE_SHARE),
                    new SmallContents(heap / READ_SHARE));
        }
    }

    private ChildProgram() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        ChildPipe pipe =
                new ChildPipe(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        // Output of libraries must not get between the messages.
        System.setOut(System.err);
        int status;
        try {
            ServiceLink service = new ServiceLink(pipe);
            Caches caches = Caches.empty();
            while (true) {
                ChildOrder order = service.order();
                order.properties().forEach(System::setProperty);
                service.tell(run(order, service, caches));
            }
        } catch (Throwable e) {
            e.printStackTrace();
            status = isOutOfMemory(e) ? OUT_OF_MEMORY : 1;
        }
        // The work of threads of libraries is of no use any more.
        Runtime.getRuntime().halt(status);
    }

    private static ChildRequest run(ChildOrder order, ServiceLink service, Caches caches) {
        try {
            Optional<RefactorResult> result = refactor(order, service, caches);
            if (result.isPresent()) {
                HandedResult.write(result.get(), Path.of(order.work()));
            }
            return new ChildRequest.Ended(result.isPresent());
        } catch (IOException e) {
            if (isOutOfMemory(e)) {
                throw new UncheckedIOException(e);
            }
            return e instanceof RefactorException failure
                    ? new ChildRequest.Failed(
                            Optional.of(failure.kind()), clipped(String.valueOf(failure.getMessage())))
                    : new ChildRequest.Failed(Optional.empty(), clipped(e.toString()));
        }
    }

    private static Optional<RefactorResult> refactor(ChildOrder order, ServiceLink service, Caches caches)
            throws IOException {
        Path work = Path.of(order.work());
        EngineConfig config = EngineConfig.defaults(work.resolve("layers")).within(order.budget());
        RefactorEngine engine =
                new RefactorEngine(order.pieces() ? config.withPieces(PieceRules.USUAL) : config, caches.trees);
        SourceOptions options =
                new SourceOptions(order.rules(), new OneLogin(order.login()), order.budget(), order.attempts());
        try (ImageSource source = ImageSources.open(ImageLocation.parse(order.reference()), options)) {
            ResolvedImage image = source.resolve(Platform.host());
            if (!image.manifest().equals(order.manifest())) {
                throw new RefactorException(
                        Kind.NOT_FOUND,
                        order.reference() + " names another image now, " + image.manifest()
                                + "; register its function again");
            }
            return engine.refactor(
                    source,
                    image,
                    HandedStart.read(order, service, caches.parsed, caches.trees),
                    new RemoteHoldings(service, caches.read),
                    Files.createDirectories(HandedResult.output(work)),
                    new SentProgress(service));
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
