package io.faasimage.registry.access.page;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Failures of pages, as pages. */
@ControllerAdvice(annotations = PageController.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
public class PageProblems {
    private static final Logger LOG = LoggerFactory.getLogger(PageProblems.class);

    /**
     * The content of the page of a failure.
     *
     * @param status HTTP's
     * @param title what kind of failure it is
     * @param detail what happened and what to do
     */
    public record Failure(int status, String title, String detail) {}

    private final ObjectProvider<Pages> pages;

    PageProblems(ObjectProvider<Pages> pages) {
        this.pages = pages;
    }

    @ExceptionHandler
    ResponseEntity<byte[]> problem(ProblemException e, HttpServletRequest request) {
        if (e.kind().status() >= 500) {
            LOG.warn("{} {}: {}", request.getMethod(), request.getRequestURI(), e.getMessage());
        }
        return page(request, e.kind().status(), e.kind().title(), e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<byte[]> mismatch(MethodArgumentTypeMismatchException e, HttpServletRequest request) {
        return page(
                request,
                400,
                ProblemKind.BAD_REQUEST.title(),
                "'" + e.getName() + "' has the value '" + e.getValue() + "', which is not valid");
    }

    @ExceptionHandler
    ResponseEntity<byte[]> parameters(InvalidParameterException e, HttpServletRequest request) {
        return page(
                request,
                e.getErrorCode(),
                ProblemKind.ofStatus(e.getErrorCode()).title(),
                "The parameters of the request cannot be read: " + e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<byte[]> other(Exception e, HttpServletRequest request) {
        if (e instanceof ErrorResponse error && !error.getStatusCode().is5xxServerError()) {
            int status = error.getStatusCode().value();
            return page(
                    request,
                    status,
                    ProblemKind.ofStatus(status).title(),
                    error.getBody().getDetail());
        }
        LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
        return page(
                request,
                500,
                ProblemKind.INTERNAL.title(),
                "The page could not be rendered. The service's log says why.");
    }

    private ResponseEntity<byte[]> page(HttpServletRequest request, int status, String title, @Nullable String detail) {
        return pages.getObject()
                .page(
                        request,
                        HttpStatusCode.valueOf(status),
                        "",
                        "problem",
                        new Failure(status, title, detail == null ? "" : detail));
    }
}
