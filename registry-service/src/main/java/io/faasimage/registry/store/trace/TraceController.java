package io.faasimage.registry.store.trace;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.format.FormatException;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/traces}. */
@RestController
class TraceController {
    private final TraceIntake intake;

    TraceController(TraceIntake intake) {
        this.intake = intake;
    }

    /** Receives an encoded trace: it is merged with the stored one, and a refactor job is queued. */
    @PostMapping(
            path = "/v1/traces",
            consumes = {MediaTypes.TRACE, MediaType.APPLICATION_OCTET_STREAM_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobInfo add(HttpServletRequest request) throws IOException {
        Trace trace;
        try {
            trace = TraceCodec.decode(request.getInputStream().readAllBytes());
        } catch (FormatException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "the body is not a trace that this version supports: " + e.getMessage()
                            + (e.kind() == FormatException.Kind.TOO_NEW ? "; upgrade registry-service" : ""),
                    e);
        }
        return intake.add(trace);
    }
}
