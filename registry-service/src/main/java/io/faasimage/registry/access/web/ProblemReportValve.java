package io.faasimage.registry.access.web;

import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Problem;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** Problems for requests that the container itself refuses, such as a malformed URI; made by Tomcat by its name. */
public final class ProblemReportValve extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ProblemKind kind = ProblemKind.ofStatus(status);
        String detail = status >= 500
                ? "the service failed in an unexpected way; see its log"
                : "the request is not one that HTTP allows; check the characters of its path and headers";
        Problem problem = new Problem(kind.type(), kind.title(), status, detail, null);
        try {
            byte[] body = Json.mapper().writeValueAsBytes(problem);
            response.setContentType(Problem.MEDIA_TYPE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("an error could not be reported", e);
        }
    }
}
