package io.faasimage.registry.access;

import io.faasimage.registry.access.identity.CertificateIdentities;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.TokenCheck;
import io.faasimage.registry.access.session.TokenGate;
import io.faasimage.registry.access.web.ActorFilter;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.Refusals;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * The security of everything but the pages: programs present a token or a certificate with each request, and nothing is
 * kept of it. Health, metrics and the API's description need neither. Refusals are problems.
 */
@Configuration(proxyBeanMethods = false)
class ApiSecurity {
    private static final String SCHEME = "Bearer ";
    /** Set by the servlet container for a certificate that the connection has verified. */
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    /** The object of refusals. */
    private static final String API = "/v1";

    /** The pause between two attempts to read the keys of an issuer. */
    private static final Duration RETRY = Duration.ofSeconds(10);

    private static final String REMEDY =
            "; send 'Authorization: Bearer TOKEN' with FAASIMAGE_TOKEN's value, that of the file 'token' in the"
                    + " service's data directory, or a token that an administrator created";

    private final TokenGate gate;
    private final CertificateIdentities certificates;
    private final Refusals refusals;
    private final ObjectProvider<HandlerExceptionResolver> problems;

    ApiSecurity(
            TokenGate gate,
            CertificateIdentities certificates,
            Refusals refusals,
            @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> problems) {
        this.gate = gate;
        this.certificates = certificates;
        this.refusals = refusals;
        this.problems = problems;
    }

    /**
     * Paths are checked strictly, but for their parameters, which count for nothing here. Methods are Spring MVC's to
     * refuse with 405, and headers the servlet container's.
     */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowSemicolon(true);
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowedHeaderNames(name -> true);
        firewall.setAllowedHeaderValues(value -> true);
        firewall.setAllowedParameterNames(name -> true);
        return firewall;
    }

    /** Each filter of each request would be measured. */
    @Bean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    SecurityFilterChain apiSecurityChain(HttpSecurity http, EndpointAuthorization table) throws Exception {
        AuthenticationFilter callers = new AuthenticationFilter(this::authenticate, this::presented);
        callers.setSecurityContextRepository(new NullSecurityContextRepository());
        // Answers differ by token; an answer with another header replaces this.
        callers.setSuccessHandler((_, response, _) -> response.setHeader("Cache-Control", "private, no-cache"));
        callers.setFailureHandler(this::refuse);
        return http.securityContext(context -> context.securityContextRepository(new NullSecurityContextRepository()))
                .sessionManagement(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .servletApi(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterBefore(callers, AnonymousAuthenticationFilter.class)
                .exceptionHandling(failures -> failures.authenticationEntryPoint(this::refuse)
                        .accessDeniedHandler((request, response, denied) -> problems.getObject()
                                .resolveException(
                                        request,
                                        response,
                                        null,
                                        new ProblemException(
                                                ProblemKind.FORBIDDEN, String.valueOf(denied.getMessage())))))
                .authorizeHttpRequests(requests -> requests.anyRequest().access(table))
                .build();
    }

    private @Nullable Authentication presented(HttpServletRequest request) {
        String path = request.getServletPath();
        if (!(path + "/").startsWith("/v1/") || path.equals("/v1/health")) {
            return null;
        }
        String header = request.getHeader("Authorization");
        if (header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return UsernamePasswordAuthenticationToken.unauthenticated(
                    request.getRemoteAddr(), header.substring(SCHEME.length()).strip());
        }
        Optional<Identity> certified = request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
                ? certificates.of(chain)
                : Optional.empty();
        return certified.map(Identity::authentication).orElse(null);
    }

    private Authentication authenticate(Authentication presented) {
        if (presented.isAuthenticated()) {
            return presented;
        }
        String address = String.valueOf(presented.getPrincipal());
        Exception problem;
        try {
            TokenCheck check = gate.present(address, String.valueOf(presented.getCredentials()));
            if (check instanceof TokenCheck.Accepted accepted) {
                return accepted.identity().authentication();
            }
            problem = problem(check, address);
        } catch (DataAccessException e) {
            problem = e;
        }
        throw new BadCredentialsException("the token is not accepted", problem);
    }

    private ProblemException problem(TokenCheck outcome, String address) {
        return switch (outcome) {
            case TokenCheck.Refused refused -> {
                refusals.add(
                        AuditAction.REFUSED_TOKEN,
                        ActorFilter.actor(Optional.of(refused.identity()), address),
                        API,
                        refused.reason());
                yield unauthorized(refused.reason());
            }
            case TokenCheck.Unverifiable away ->
                ProblemException.retryLater(ProblemKind.PROVIDER_UNAVAILABLE, away.reason(), RETRY);
            case TokenCheck.MustWait waiting -> {
                Duration wait = waiting.left().plusSeconds(1);
                yield ProblemException.retryLater(
                        ProblemKind.BUSY,
                        "too many wrong tokens came from " + address + "; try again in " + wait.toSeconds() + " s",
                        wait);
            }
            case TokenCheck.Unknown _, TokenCheck.Accepted _ -> {
                refusals.add(
                        AuditAction.REFUSED_TOKEN,
                        ActorFilter.actor(Optional.empty(), address),
                        API,
                        "the token was never valid");
                yield unauthorized("the token of the request is not the service's" + REMEDY);
            }
        };
    }

    private static ProblemException unauthorized(String detail) {
        return new ProblemException(ProblemKind.UNAUTHORIZED, detail);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure) {
        // Who presents nothing comes here with the denial as the cause.
        Exception problem = failure instanceof BadCredentialsException && failure.getCause() instanceof Exception known
                ? known
                : unauthorized("the request has no token" + REMEDY);
        if (problem instanceof ProblemException known && known.kind() == ProblemKind.UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer realm=\"faasimage\"");
        }
        problems.getObject().resolveException(request, response, null, problem);
    }
}
