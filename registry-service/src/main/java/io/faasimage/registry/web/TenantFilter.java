package io.faasimage.registry.web;

import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.page.PageGuard;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.tenancy.RequestQuota;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.registry.tenant.Tenants;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * A filter that has a request served for the tenant of its caller, whom the filters before it have identified.
 * Operators may name another tenant in a header. What needs no token is served for the default tenant.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 4)
class TenantFilter extends OncePerRequestFilter {
    private final Tenants tenants;
    private final RequestQuota quota;
    private final ObjectProvider<HandlerExceptionResolver> failures;

    TenantFilter(
            Tenants tenants,
            RequestQuota quota,
            @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> failures) {
        this.tenants = tenants;
        this.quota = quota;
        this.failures = failures;
    }

    /** A sign-in whose tenant is gone must not keep the browser from another one. */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return path.equals(PageGuard.SIGN_IN)
                || path.startsWith(PageGuard.SIGN_IN + "/")
                || path.equals(PageGuard.SIGN_OUT)
                || path.startsWith(PageGuard.ASSETS);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable Identity caller = (Identity) request.getAttribute(Identity.ATTRIBUTE);
        if (caller == null) {
            chain.doFilter(request, response);
            return;
        }
        TenantName tenant;
        try {
            tenant = tenant(caller, request.getHeader(TenantRequest.HEADER));
            quota.admit(caller.tenant());
        } catch (ProblemException | DataAccessException e) {
            failures.getObject().resolveException(request, response, null, e);
            return;
        }
        if (TokenFilter.isGuarded(request)) {
            // Answers differ by token; an answer that says otherwise replaces this.
            response.setHeader("Cache-Control", "private, no-cache");
        }
        ScopedChain.run(work -> TenantScope.call(tenant, work), request, response, chain);
    }

    private TenantName tenant(Identity caller, @Nullable String named) {
        if (named == null || named.equals(caller.tenant().text())) {
            // That of a provider's group need not exist.
            return caller.tenant().isDefault()
                    ? caller.tenant()
                    : tenants.named(caller.tenant().text());
        }
        if (!caller.isOperator()) {
            throw new ProblemException(
                    ProblemKind.FORBIDDEN,
                    caller.name() + " belongs to tenant '" + caller.tenant() + "' and cannot act for another");
        }
        return tenants.named(named);
    }
}
