package io.faasimage.registry.access.session;

import io.faasimage.registry.platform.config.PageSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.session.web.http.CookieHttpSessionIdResolver;
import org.springframework.session.web.http.CookieSerializer;
import org.springframework.session.web.http.DefaultCookieSerializer;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Sessions in the database, for the pages alone: requests of programs have none. */
@Configuration(proxyBeanMethods = false)
public class SessionConfiguration {
    /** Where a sign-in at the OpenID Connect provider begins. */
    public static final String PROVIDER = "/ui/sign-in/provider";

    /** Name of the field of forms that has the token against forms of other sites. */
    public static final String FORM_FIELD = "form-token";

    private static final Logger LOG = LoggerFactory.getLogger(SessionConfiguration.class);

    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

    /** The time that a person may take at the provider. */
    private static final Duration UNTIL_SIGNED_IN = Duration.ofMinutes(10);

    /** The classes of attributes: a writer to the database must not make the service run other code. */
    private static final ObjectInputFilter CLASSES =
            ObjectInputFilter.Config.createFilter("maxbytes=65536;maxdepth=20;maxarray=1000;io.faasimage.registry.**;"
                    + "org.springframework.security.oauth2.core.**;org.springframework.security.web.csrf.*;"
                    + "java.lang.*;java.util.*;java.time.*;!*");

    @Bean
    @SuppressWarnings("NullAway") // Spring Session takes null for no attribute.
    JdbcIndexedSessionRepository pageSessions(JdbcOperations jdbc, PlatformTransactionManager transactions) {
        TransactionTemplate own = new TransactionTemplate(transactions);
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        GenericConversionService bytes = new GenericConversionService();
        bytes.addConverter(Object.class, byte[].class, new SerializingConverter());
        bytes.addConverter(byte[].class, Object.class, SessionConfiguration::read);
        JdbcIndexedSessionRepository sessions = new JdbcIndexedSessionRepository(jdbc, own);
        sessions.setTableName("page_sessions");
        sessions.setConversionService(bytes);
        sessions.setDefaultMaxInactiveInterval(UNTIL_SIGNED_IN);
        // They are removed with other old records.
        sessions.setCleanupCron("-");
        return sessions;
    }

    /** An attribute that another version of the service has written may be unreadable, and then is none. */
    private static @Nullable Object read(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(CLASSES);
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            LOG.warn("an attribute of a session cannot be read: {}", e.toString());
            return null;
        }
    }

    @Bean
    FilterRegistrationBean<SessionRepositoryFilter<?>> pageSessionFilter(
            JdbcIndexedSessionRepository sessions, PageSettings settings) {
        CookieHttpSessionIdResolver cookie = new CookieHttpSessionIdResolver();
        cookie.setCookieSerializer(new Cookies(serializer(settings, "Strict"), serializer(settings, "Lax")));
        SessionRepositoryFilter<?> filter = new SessionRepositoryFilter<>(sessions);
        filter.setHttpSessionIdResolver(cookie);
        FilterRegistrationBean<SessionRepositoryFilter<?>> registration = new FilterRegistrationBean<>(filter);
        registration.addUrlPatterns("/ui", "/ui/*");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
        return registration;
    }

    private static DefaultCookieSerializer serializer(PageSettings settings, String sameSite) {
        DefaultCookieSerializer cookie = new DefaultCookieSerializer();
        cookie.setCookieName("faasimage_session");
        cookie.setCookiePath("/ui");
        cookie.setCookieMaxAge((int) settings.session().toSeconds());
        cookie.setSameSite(sameSite);
        return cookie;
    }

    /** A sign-in's cookie is strict; the one of a sign-in that begins must come back with the provider's redirect. */
    private record Cookies(CookieSerializer strict, CookieSerializer lax) implements CookieSerializer {
        @Override
        public void writeCookieValue(CookieValue value) {
            (PROVIDER.equals(value.getRequest().getServletPath()) ? lax : strict).writeCookieValue(value);
        }

        @Override
        public List<String> readCookieValues(HttpServletRequest request) {
            // Others are no IDs of ours, and the database may refuse their characters.
            return strict.readCookieValues(request).stream()
                    .filter(ID.asMatchPredicate())
                    .toList();
        }
    }

    @Bean
    HttpSessionCsrfTokenRepository formTokens() {
        HttpSessionCsrfTokenRepository forms = new HttpSessionCsrfTokenRepository();
        forms.setParameterName(FORM_FIELD);
        return forms;
    }
}
