package io.faasimage.registry.images.image;

import io.faasimage.api.process.ProgramEnd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.platform.config.RegistrySettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The operator's command that accepts or refuses images, such as a verifier of signatures. It is run without a shell,
 * with two more arguments: the image's reference without a digest, and the digest. Thread-safe.
 */
@Component
public class VerifyCommand {
    private static final String SETTING = " (registry-service: --faasimage.verify-command)";
    private static final int MAX_REASON_CHARS = 500;

    /** Verifiers take much memory, and deployments come in crowds. */
    private static final int AT_ONCE = 4;

    private final List<String> command;
    private final Duration limit;
    private final Semaphore running = new Semaphore(AT_ONCE);

    VerifyCommand(RegistrySettings settings) {
        @Nullable String text = settings.verifyCommand();
        this.command = text == null || text.isBlank()
                ? List.of()
                : List.of(text.strip().split("\\s+"));
        this.limit = settings.resolveLimit();
    }

    /** The command neither accepted nor refused the image; it may do so later. */
    public static final class NoVerdict extends IOException {
        private static final long serialVersionUID = 1;

        private NoVerdict(String message, @Nullable Throwable cause) {
            super(message + "; the image was neither accepted nor refused" + SETTING, cause);
        }
    }

    /**
     * Runs the command, if there is one.
     *
     * @throws RefactorException when it refuses the image
     * @throws NoVerdict when it cannot be started, or does not end in time
     */
    void verify(ImageLocation image, Digest digest) throws IOException {
        if (command.isEmpty()) {
            return;
        }
        ProgramEnd end = run(reference(image), digest);
        if (end.exit() != 0) {
            throw new RefactorException(
                    RefactorException.Kind.INVALID, name() + " refused the image: " + reason(end) + SETTING);
        }
    }

    /** Also a reference with a digest: it may be of a manifest in the index that {@code digest} is of. */
    private static String reference(ImageLocation image) {
        return image instanceof ImageLocation.Remote(ImageReference remote)
                ? new ImageReference(remote.registry(), remote.repository(), remote.tag(), Optional.empty()).toString()
                : image.toString();
    }

    private ProgramEnd run(String reference, Digest digest) throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.add(reference);
        whole.add(digest.toString());
        try {
            if (!running.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new NoVerdict(
                        name() + " is busy with " + AT_ONCE + " other images for " + limit.toSeconds() + " s", null);
            }
        } catch (InterruptedException e) {
            throw cancelled(e);
        }
        try {
            Process process =
                    new ProcessBuilder(whole).redirectErrorStream(true).start();
            return ProgramEnd.await(name(), process, new byte[0], limit);
        } catch (InterruptedIOException e) {
            throw cancelled(e);
        } catch (IOException e) {
            throw new NoVerdict(String.valueOf(e.getMessage()), e);
        } finally {
            running.release();
        }
    }

    private static RefactorException cancelled(Exception e) {
        Thread.currentThread().interrupt();
        return new RefactorException(RefactorException.Kind.CANCELLED, "interrupted", e);
    }

    private static String reason(ProgramEnd end) {
        String last = end.output().strip().lines().reduce("", (_, line) -> line).replaceAll("\\p{Cntrl}", "?");
        if (last.isEmpty()) {
            return "it ended with " + end.exit() + " and printed nothing";
        }
        return last.length() > MAX_REASON_CHARS ? last.substring(0, MAX_REASON_CHARS) + "..." : last;
    }

    private String name() {
        return "the verify command " + command.getFirst();
    }
}
