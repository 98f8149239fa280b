package io.faasimage.registry.access.web;

import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.platform.audit.Actor;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** A filter that makes the caller whom Spring Security identified the {@link Actor} of what the request changes. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 4)
public class ActorFilter extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Actor actor = actor(Identity.current(), request.getRemoteAddr());
        ScopedChain.run(actor::call, request, response, chain);
    }

    /** Files of the pages are the same for everybody. */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getServletPath().startsWith("/ui/assets/");
    }

    /** A caller of the current request, so far as it is known. */
    public static Actor actor(Optional<Identity> caller, String address) {
        String id = String.valueOf(MDC.get(RequestIdFilter.KEY));
        return caller.map(known -> known.actor(address, id)).orElseGet(() -> Actor.unknown(address, id));
    }
}
