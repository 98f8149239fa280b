package io.faasimage.registry.images.statement;

import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.registry.store.signing.Signing;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/plan-keys}. */
@RestController
class PlanKeyController {
    private final Signing signing;

    PlanKeyController(Signing signing) {
        this.signing = signing;
    }

    /** Lists the public keys of the signatures of plans, the present one first; none when plans are not signed. */
    @GetMapping(path = "/v1/plan-keys", produces = MediaType.APPLICATION_JSON_VALUE)
    List<PlanKeyInfo> all() {
        return signing.trusted().map(this::describe).orElse(List.of());
    }

    private List<PlanKeyInfo> describe(VerifyingKeys keys) {
        List<Digest> ids = keys.ids();
        List<String> texts = keys.pem();
        return IntStream.range(0, ids.size())
                .mapToObj(i -> new PlanKeyInfo(
                        ids.get(i).toString(),
                        signing.key().filter(ids.get(i)::equals).isPresent(),
                        texts.get(i)))
                .sorted((a, b) -> Boolean.compare(b.signs(), a.signs()))
                .toList();
    }
}
