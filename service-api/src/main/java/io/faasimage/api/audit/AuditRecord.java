package io.faasimage.api.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log: {@code GET /v1/audit}. It contains no secret.
 *
 * @param id later records have higher ones
 * @param at the time
 * @param actor the ID of the token that was presented, or a word for an actor without one
 * @param name the actor's name in messages
 * @param address from which the request came; empty for an action of the service itself
 * @param action such as {@code function.register}
 * @param object the target: the name of a function or a node, the ID of a token, the digest of an image
 * @param before the object's state before; null when there was none
 * @param after the object's state afterwards; null when there is none
 * @param request ID of the request in the service's log; empty for an action of the service itself
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
