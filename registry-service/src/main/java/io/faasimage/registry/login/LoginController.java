package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/registry-logins}. */
@RestController
@RequestMapping(path = "/v1/registry-logins", produces = MediaType.APPLICATION_JSON_VALUE)
class LoginController {
    private final Logins logins;

    LoginController(Logins logins) {
        this.logins = logins;
    }

    /** Stores a login, in the place of an earlier one for the same repositories. */
    @PutMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    LoginInfo put(@RequestBody LoginRequest request) {
        return logins.put(request);
    }

    /** Lists the logins by repository, without their passwords. */
    @GetMapping
    List<LoginInfo> all() {
        return logins.all();
    }

    /** Removes a login. */
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@RequestParam String repository) {
        logins.delete(repository);
    }
}
