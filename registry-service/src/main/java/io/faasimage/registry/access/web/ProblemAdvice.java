package io.faasimage.registry.access.web;

import io.faasimage.api.rest.Problem;
import io.faasimage.registry.platform.database.DatabaseFailures;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** The mapping of every failure of a request to a problem document, in one place. */
@RestControllerAdvice
class ProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** A failure that names its problem. */
    @ExceptionHandler
    ResponseEntity<Problem> problem(ProblemException e, HttpServletRequest request, HttpServletResponse response) {
        rethrowIfCommitted(e, response);
        if (e.kind().status() >= 500) {
            LOG.warn("{} {}: {}", request.getMethod(), request.getRequestURI(), e.getMessage());
        }
        HttpHeaders headers = new HttpHeaders();
        e.retryAfter().ifPresent(after -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(after.toSeconds())));
        return answer(e.kind(), e.kind().status(), e.getMessage(), request, headers);
    }

    /** A body that is not the JSON that is expected. */
    @ExceptionHandler
    ResponseEntity<Problem> unreadable(HttpMessageNotReadableException e, HttpServletRequest request) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause instanceof JacksonException json
                ? json.getOriginalMessage() + at(json)
                : String.valueOf(cause.getMessage());
        return answer(
                ProblemKind.BAD_REQUEST,
                400,
                "the body is not the expected JSON: " + reason + "; /v3/api-docs describes it",
                request,
                new HttpHeaders());
    }

    private static String at(JacksonException e) {
        @Nullable TokenStreamLocation location = e.getLocation();
        return location == null || location.getLineNr() < 0
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    /** A parameter of the wrong type. */
    @ExceptionHandler
    ResponseEntity<Problem> mismatch(MethodArgumentTypeMismatchException e, HttpServletRequest request) {
        String detail = "parameter '" + e.getName() + "' has the value '" + e.getValue() + "', which is not valid";
        return answer(ProblemKind.BAD_REQUEST, 400, detail, request, new HttpHeaders());
    }

    /** Parameters that cannot be read, or are too many or too large. */
    @ExceptionHandler
    ResponseEntity<Problem> parameters(InvalidParameterException e, HttpServletRequest request) {
        ProblemKind kind = ProblemKind.ofStatus(e.getErrorCode());
        String detail = "the request's parameters cannot be read: " + e.getMessage();
        return answer(kind, e.getErrorCode(), detail, request, new HttpHeaders());
    }

    /** Media types that are none, as the management endpoints find them in {@code Accept}. */
    @ExceptionHandler
    ResponseEntity<Problem> mediaType(InvalidMimeTypeException e, HttpServletRequest request) {
        return answer(ProblemKind.NOT_ACCEPTABLE, 406, e.getMessage(), request, new HttpHeaders());
    }

    /** The database is away, or busy with other requests. */
    @ExceptionHandler({DataAccessException.class, TransactionException.class})
    ResponseEntity<Problem> database(Exception e, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (response.isCommitted() || !DatabaseFailures.isTransient(e)) {
            return other(e, request, response);
        }
        boolean busy = DatabaseFailures.isBusy(e);
        LOG.warn("{} {}: {}", request.getMethod(), request.getRequestURI(), e.getMessage());
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(RETRY_AFTER.toSeconds()));
        ProblemKind kind = busy ? ProblemKind.BUSY : ProblemKind.DATABASE_UNAVAILABLE;
        String detail = busy
                ? "other requests have kept the database busy for too long; send it again in " + RETRY_AFTER.toSeconds()
                        + " s"
                : "the database does not answer; see the service's log";
        return answer(kind, kind.status(), detail, request, headers);
    }

    /** Everything else: faults that Spring found in the request, and failures of the service. */
    @ExceptionHandler
    ResponseEntity<Problem> other(Exception e, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (response.isCommitted()) {
            throw e;
        }
        if (e instanceof ErrorResponse error && !error.getStatusCode().is5xxServerError()) {
            HttpStatusCode status = error.getStatusCode();
            ProblemKind kind = ProblemKind.ofStatus(status.value());
            return answer(kind, status.value(), detail(e, error, request), request, error.getHeaders());
        }
        LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
        return answer(
                ProblemKind.INTERNAL,
                500,
                "the service failed in an unexpected way; see its log",
                request,
                new HttpHeaders());
    }

    private static String detail(Exception e, ErrorResponse error, HttpServletRequest request) {
        if (e instanceof NoHandlerFoundException || e instanceof NoResourceFoundException) {
            return "no resource " + request.getRequestURI() + "; /v3/api-docs lists the resources";
        }
        if (e instanceof HttpRequestMethodNotSupportedException method) {
            return request.getRequestURI() + " does not support the method " + method.getMethod() + "; it supports "
                    + method.getSupportedHttpMethods();
        }
        @Nullable String detail = error.getBody().getDetail();
        return detail == null
                ? ProblemKind.ofStatus(error.getStatusCode().value()).title()
                : detail;
    }

    private static void rethrowIfCommitted(RuntimeException e, HttpServletResponse response) {
        if (response.isCommitted()) {
            // The answer is under way: the connection must break, or a cut answer would look whole.
            throw e;
        }
    }

    private static ResponseEntity<Problem> answer(
            ProblemKind kind, int status, @Nullable String detail, HttpServletRequest request, HttpHeaders headers) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(new Problem(kind.type(), kind.title(), status, detail, request.getRequestURI()));
    }
}
