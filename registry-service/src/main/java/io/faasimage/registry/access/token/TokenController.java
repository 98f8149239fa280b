package io.faasimage.registry.access.token;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.Tokens;
import io.swagger.v3.oas.annotations.Parameter;
import java.net.URI;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/tokens}. */
@RestController
@RequestMapping(path = "/v1/tokens", produces = MediaType.APPLICATION_JSON_VALUE)
class TokenController {
    private final Tokens tokens;

    TokenController(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Creates a token; its text is in this answer only. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<NewToken> create(
            @RequestBody TokenRequest request, @Parameter(hidden = true) @AuthenticationPrincipal Identity caller) {
        NewToken created = tokens.create(request, caller);
        return ResponseEntity.created(URI.create("/v1/tokens/" + created.info().id()))
                .cacheControl(CacheControl.noStore())
                .body(created);
    }

    /** Lists the tokens, newest first. */
    @GetMapping
    List<TokenInfo> all() {
        return tokens.all();
    }

    /** Revokes a token; of a node's identity, every identity of that node. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable String id, @Parameter(hidden = true) @AuthenticationPrincipal Identity caller) {
        tokens.revoke(id, caller);
    }
}
