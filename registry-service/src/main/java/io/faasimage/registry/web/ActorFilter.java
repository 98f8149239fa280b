package io.faasimage.registry.web;

import io.faasimage.api.rest.RequestId;
import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.identity.Identity;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that makes the caller, whom the filters before it have identified, the {@link Actor} of what the request
 * changes.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 3)
class ActorFilter extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Actor actor = actor(request, response);
        ScopedChain.run(actor::call, request, response, chain);
    }

    /** The caller, so far as it is known. */
    static Actor actor(HttpServletRequest request, HttpServletResponse response) {
        String id = String.valueOf(response.getHeader(RequestId.HEADER));
        @Nullable Identity caller = (Identity) request.getAttribute(Identity.ATTRIBUTE);
        return caller == null ? Actor.unknown(request.getRemoteAddr(), id) : caller.actor(request.getRemoteAddr(), id);
    }
}
