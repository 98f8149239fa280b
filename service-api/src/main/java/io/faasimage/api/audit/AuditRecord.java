package io.faasimage.api.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log: {@code GET /v1/audit}. It contains no secret.
 *
 * @param id later records have higher ones
 * @param at when
 * @param actor the ID of the token that was presented, or a word for who has none
 * @param name what messages call the actor
 * @param address from which the request came; empty for what the service did by itself
 * @param action such as {@code function.register}
 * @param object what it was done to: the name of a function or a node, the ID of a token, the digest of an image
 * @param before the object's state before; null when there was none
 * @param after the object's state afterwards; null when there is none
 * @param request ID of the request, by which the service's log knows it; empty for what the service did by itself
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditRecord(
        long id,
        Instant at,
        String actor,
        String name,
        String address,
        String action,
        String object,
        @Nullable Map<String, @Nullable Object> before,
        @Nullable Map<String, @Nullable Object> after,
        String request) {}
