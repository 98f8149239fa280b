package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import com.google.cloud.tools.jib.http.ResponseException;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.host.RefusedHostException;
import java.io.IOException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The mapping of jib's exceptions to the engine's failures, with retries of transient ones. */
final class RegistryFailures {
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final String JIB_REASON = "but failed because: ";

    /** The error codes of the OCI distribution specification. */
    private static final Pattern CODE = Pattern.compile("\\b(?:BLOB_UNKNOWN|BLOB_UPLOAD_INVALID|BLOB_UPLOAD_UNKNOWN"
            + "|DIGEST_INVALID|MANIFEST_BLOB_UNKNOWN|MANIFEST_INVALID|MANIFEST_UNKNOWN|NAME_INVALID|NAME_UNKNOWN"
            + "|SIZE_INVALID|UNAUTHORIZED|DENIED|UNSUPPORTED|TOOMANYREQUESTS)\\b");

    /** A request by jib. */
    @FunctionalInterface
    interface Request<T> {
        T run() throws IOException, RegistryException;
    }

    private final ImageReference reference;

    RegistryFailures(ImageReference reference) {
        this.reference = reference;
    }

    /** Runs {@code request}, again after a pause while the failure is transient, at most {@code attempts} times. */
    <T> T retrying(String what, int attempts, Request<T> request) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return mapping(what, request);
            } catch (RefactorException e) {
                if (!e.isWorthRepeating() || attempt >= attempts) {
                    throw e;
                }
                pause(FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 6), e);
            }
        }
    }

    /** Runs {@code request} once. */
    <T> T mapping(String what, Request<T> request) throws IOException {
        try {
            return request.run();
        } catch (RefactorException e) {
            throw e;
        } catch (RefusedHostException e) {
            throw new RefactorException(
                    Kind.BAD_REQUEST, "could not " + what + " " + reference + ": " + e.getMessage(), e);
        } catch (IOException | RegistryException e) {
            throw map(what, e);
        }
    }

    private RefactorException map(String what, Exception e) {
        String text = "could not " + what + " " + reference + ": " + reason(e);
        int status = status(e);
        if (e instanceof RegistryUnauthorizedException || status == 401 || status == 403) {
            return new RefactorException(
                    Kind.UNAUTHORIZED, text + "; log in with 'docker login " + reference.registry() + "'", e);
        }
        if (status == 404) {
            return new RefactorException(Kind.NOT_FOUND, text + "; has it been pushed?", e);
        }
        boolean tooBusy = status == 408 || status == 429;
        if (status >= 400 && status < 500 && !tooBusy) {
            return new RefactorException(Kind.INVALID, text, e);
        }
        if (isCausedBy(e, "UnexpectedBlobDigestException")) {
            return new RefactorException(Kind.DIGEST_MISMATCH, text + ": push the image again", e);
        }
        if (isCausedBy(e, "UnknownManifestFormatException")) {
            return new RefactorException(Kind.UNSUPPORTED, text, e);
        }
        return new RefactorException(Kind.UNAVAILABLE, text, e);
    }

    /** By name, since jib keeps these classes to itself. */
    private static boolean isCausedBy(Throwable failure, String simpleName) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e.getClass().getSimpleName().equals(simpleName)) {
                return true;
            }
        }
        return false;
    }

    private static int status(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof ResponseException response) {
                return response.getStatusCode();
            }
        }
        return 0;
    }

    /**
     * A reason without the registry's answer: a reference can point to any host, whose answers are not for everybody
     * who may register functions.
     */
    private static String reason(Throwable failure) {
        int status = status(failure);
        if (status != 0) {
            return "the registry answered " + status + codes(failure);
        }
        if (isCausedByAnotherFormat(failure)) {
            return "the registry answered something that is not the expected JSON";
        }
        @Nullable String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        // jib repeats the request before the registry's own reason.
        int because = message.indexOf(JIB_REASON);
        return (because < 0 ? message : message.substring(because + JIB_REASON.length())).strip();
    }

    private static String codes(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof ResponseException response && response.getContent() != null) {
                String found = CODE.matcher(response.getContent())
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .collect(Collectors.joining(", "));
                return found.isEmpty() ? "" : " (" + found + ")";
            }
        }
        return "";
    }

    private static boolean isCausedByAnotherFormat(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e.getClass().getName().startsWith("com.fasterxml.jackson.")) {
                return true;
            }
        }
        return false;
    }

    private static void pause(long millis, RefactorException last) throws RefactorException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted after: " + last.getMessage(), last);
        }
    }
}
