package io.faasimage.registry.access.web;

import io.faasimage.api.rest.Problem;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Problems for failures outside the controllers, in filters and in the servlet container. */
@RestController
@io.swagger.v3.oas.annotations.Hidden
class ContainerErrors implements ErrorController {
    @RequestMapping("/error")
    ResponseEntity<Problem> error(HttpServletRequest request) {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        ProblemKind kind = ProblemKind.ofStatus(status);
        String uri = String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
        String detail = status >= 500
                ? "the service failed in an unexpected way; see its log"
                : kind.title() + "; /v3/api-docs describes the requests";
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(new Problem(kind.type(), kind.title(), status, detail, uri));
    }
}
