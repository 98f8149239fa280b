package io.faasimage.registry.access.page;

import io.faasimage.registry.access.EndpointAuthorization;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.People;
import io.faasimage.registry.access.session.SignIns;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.StaticHeadersWriter;

/** The security of the pages: sign-ins in sessions, tokens of forms, and headers for browsers. */
@Configuration(proxyBeanMethods = false)
class PageSecurity {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    SecurityFilterChain pageSecurityChain(
            HttpSecurity http,
            SignIns signIns,
            CsrfTokenRepository forms,
            EndpointAuthorization table,
            PageRefusals refusals,
            People people,
            ProviderSignIn provider)
            throws Exception {
        http.securityMatcher("/ui", "/ui/**")
                .securityContext(context -> context.securityContextRepository(signIns))
                .requestCache(AbstractHttpConfigurer::disable)
                .servletApi(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                // Who has no sign-in can send nothing that counts, and its body is not read.
                .csrf(csrf -> csrf.csrfTokenRepository(forms)
                        .requireCsrfProtectionMatcher(request -> !PageRefusals.reads(request)
                                && !request.getServletPath().equals(Pages.SIGN_IN)
                                && Identity.current()
                                        .filter(caller -> !caller.equals(Identity.ANONYMOUS))
                                        .isPresent()))
                .headers(PageSecurity::headers)
                .addFilterBefore(refusals::filter, CsrfFilter.class)
                .exceptionHandling(
                        failures -> failures.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
                .authorizeHttpRequests(requests -> requests.anyRequest().access(table));
        if (people.canSignIn()) {
            http.oauth2Login(provider::configure);
        }
        return http.build();
    }

    /** Decoders that share the provider's keys with the API. */
    @Bean
    JwtDecoderFactory<ClientRegistration> idTokens(People people) {
        return people::idTokens;
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY))
                .frameOptions(HeadersConfigurer.FrameOptionsConfig::deny)
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .crossOriginOpenerPolicy(policy -> policy.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
                .crossOriginResourcePolicy(policy -> policy.policy(CrossOriginResourcePolicy.SAME_ORIGIN))
                // Whether a host is for HTTPS alone is for its operator to say.
                .httpStrictTransportSecurity(HeadersConfigurer.HstsConfig::disable)
                .xssProtection(HeadersConfigurer.XXssConfig::disable)
                .cacheControl(HeadersConfigurer.CacheControlConfig::disable)
                .addHeaderWriter(new StaticHeadersWriter("Cache-Control", "no-store"))
                .addHeaderWriter(new StaticHeadersWriter("Vary", "Cookie, HX-Request"));
    }
}
