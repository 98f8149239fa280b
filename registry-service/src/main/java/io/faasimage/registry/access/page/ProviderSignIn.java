package io.faasimage.registry.access.page;

import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.People;
import io.faasimage.registry.access.identity.TokenCheck;
import io.faasimage.registry.access.session.SessionConfiguration;
import io.faasimage.registry.access.session.SignInLimit;
import io.faasimage.registry.access.web.ActorFilter;
import io.faasimage.registry.platform.audit.Actor;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.client.OAuth2LoginConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * The sign-in at the OpenID Connect provider by Spring Security. The provider is not asked before somebody signs in,
 * its tokens are not kept, and a failure is the sign-in's page with its reason. Thread-safe.
 */
@Component
class ProviderSignIn implements ClientRegistrationRepository {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderSignIn.class);
    private static final String ANSWER = Pages.SIGN_IN + "/answer";
    private static final String NEXT = "next";
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Set<String> NOT_BEGUN =
            Set.of("authorization_request_not_found", "invalid_state_parameter", "invalid_request");

    private final ObjectProvider<Pages> pages;
    private final People people;
    private final SignInLimit limit;
    private final AuditLog audit;
    private final Refusals refusals;
    /** The provider's tokens leave it before the session is stored. */
    private final HttpSessionOAuth2AuthorizedClientRepository clients =
            new HttpSessionOAuth2AuthorizedClientRepository();

    /** A person who may do nothing here. */
    private static final class PersonRefused extends AuthenticationException {
        private static final long serialVersionUID = 1L;

        private final transient Identity person;

        PersonRefused(TokenCheck.Refused refused) {
            super(refused.reason());
            this.person = refused.identity();
        }
    }

    ProviderSignIn(ObjectProvider<Pages> pages, People people, SignInLimit limit, AuditLog audit, Refusals refusals) {
        this.pages = pages;
        this.people = people;
        this.limit = limit;
        this.audit = audit;
        this.refusals = refusals;
    }

    void configure(OAuth2LoginConfigurer<HttpSecurity> login) {
        login.loginPage(Pages.SIGN_IN)
                .clientRegistrationRepository(this)
                .authorizedClientRepository(clients)
                .authorizationEndpoint(begin -> begin.authorizationRequestResolver(new Resolver()))
                .redirectionEndpoint(answer -> answer.baseUri(ANSWER))
                .tokenEndpoint(token -> token.accessTokenResponseClient(exchange()))
                .userInfoEndpoint(info -> info.oidcUserService(request -> {
                    OidcUser user = new DefaultOidcUser(List.of(), request.getIdToken());
                    if (people.recheck(people.person(user)) instanceof TokenCheck.Refused refused) {
                        throw new PersonRefused(refused);
                    }
                    return user;
                }))
                .successHandler(this::succeed)
                .failureHandler(this::fail)
                .withObjectPostProcessor(new ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter>() {
                    @Override
                    public <O extends OAuth2AuthorizationRequestRedirectFilter> O postProcess(O filter) {
                        filter.setAuthenticationFailureHandler(ProviderSignIn.this::fail);
                        return filter;
                    }
                });
    }

    /** As Spring Security's own, but with the authorities of the settings, and with limits. */
    private RestClientAuthorizationCodeTokenResponseClient exchange() {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(people.http());
        requests.setReadTimeout(LIMIT);
        RestClientAuthorizationCodeTokenResponseClient exchange = new RestClientAuthorizationCodeTokenResponseClient();
        exchange.setRestClient(RestClient.builder()
                .requestFactory(requests)
                .configureMessageConverters(converters -> converters
                        .disableDefaults()
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        return exchange;
    }

    @Override
    public ClientRegistration findByRegistrationId(String id) {
        try {
            return people.registration(ANSWER);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Begins a sign-in at its address alone. */
    private final class Resolver implements OAuth2AuthorizationRequestResolver {
        private final DefaultOAuth2AuthorizationRequestResolver requests =
                new DefaultOAuth2AuthorizationRequestResolver(ProviderSignIn.this);

        @Override
        public @Nullable OAuth2AuthorizationRequest resolve(HttpServletRequest request) {
            return request.getServletPath().equals(SessionConfiguration.PROVIDER)
                    ? resolve(request, People.PROVIDER)
                    : null;
        }

        @Override
        public @Nullable OAuth2AuthorizationRequest resolve(HttpServletRequest request, String id) {
            if (!limit.mayBegin(request.getRemoteAddr())) {
                throw new IllegalStateException("Too many sign-ins have begun at this address");
            }
            OAuth2AuthorizationRequest begun = requests.resolve(request, id);
            if (request.getSession(false) != null) {
                // Its cookie must come back with the provider's redirect, too.
                request.changeSessionId();
            }
            request.getSession().setAttribute(NEXT, next(request));
            return begun;
        }
    }

    /**
     * Answers with a page that continues by itself. The browser would not send the strict cookie of the sign-in along
     * with a redirect that began at the provider.
     */
    private void succeed(HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        clients.removeAuthorizedClient(People.PROVIDER, authentication, request, response);
        if (authentication.getPrincipal() instanceof OidcUser user
                && people.recheck(people.person(user)) instanceof TokenCheck.Accepted accepted) {
            audit.add(
                    ActorFilter.actor(Optional.of(accepted.identity()), request.getRemoteAddr()),
                    AuditAction.SESSION_BEGIN,
                    SignInController.DASHBOARD,
                    null,
                    null);
        }
        String next = next(request);
        PageRefusals.write(
                pages.getObject().page(request, "", "signedin", new SignInController.SignedIn(next)), response);
    }

    private static String next(HttpServletRequest request) {
        if (request.getServletPath().equals(SessionConfiguration.PROVIDER)) {
            return SignInController.ours(String.valueOf(request.getParameter(NEXT)));
        }
        @Nullable HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(NEXT) instanceof String next ? next : "/ui";
    }

    private void fail(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        String reason = String.valueOf(failure.getMessage());
        Optional<Identity> person = Optional.empty();
        int status = 401;
        if (failure instanceof PersonRefused refused) {
            person = Optional.of(refused.person);
            status = 403;
        } else if (failure instanceof OAuth2AuthenticationException known
                && NOT_BEGUN.contains(known.getError().getErrorCode())) {
            reason = "This sign-in was not begun in this browser, or too long ago. Try again.";
        } else if (request.getParameter("error") != null) {
            reason = "The provider refused the sign-in: " + request.getParameter("error");
        } else {
            LOG.warn("a sign-in by OpenID Connect from {} failed: {}", request.getRemoteAddr(), reason);
            reason += ". Try again later, or sign in with a token.";
            status = 503;
        }
        if (status != 503) {
            Actor actor = ActorFilter.actor(person, request.getRemoteAddr());
            refusals.add(AuditAction.REFUSED_SIGN_IN, actor, SignInController.DASHBOARD, reason);
        }
        PageRefusals.write(pages.getObject().signIn(request, status, next(request), reason), response);
    }
}
