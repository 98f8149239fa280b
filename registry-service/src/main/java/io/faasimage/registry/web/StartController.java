package io.faasimage.registry.web;

import io.faasimage.api.StartReport;
import io.faasimage.registry.feedback.StartService;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/starts}: what nodes tell of starts. */
@RestController
class StartController {
    private final StartService starts;

    StartController(StartService starts) {
        this.starts = starts;
    }

    /** Records a start; 202 when the image may get a new plan for what it missed, else 204. */
    @PostMapping(path = "/v1/starts", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Void> add(@RequestBody StartReport start) {
        return ResponseEntity.status(starts.add(start) ? HttpStatus.ACCEPTED : HttpStatus.NO_CONTENT)
                .build();
    }
}
