package io.faasimage.registry.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.OidcSettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Verifiers for tests of the tokens of the settings, without a service. */
public final class Verifiers {
    private Verifiers() {}

    /** A verifier whose table cannot be read. */
    public static TokenVerifier withoutTable(AccessToken configured, Clock clock) {
        TokenTable table = new TokenTable(JdbcClient.create(new DriverManagerDataSource("jdbc:none")));
        return new TokenVerifier(
                configured, new RecentTokens(table), new TokenUses(table, clock), new IssuedTokens(List.of()), clock);
    }

    /** The people of a provider whose group {@code deployers} may deploy; nothing is read from it. */
    public static People people(Clock clock) {
        return new People(
                new OidcSettings(
                        "https://provider.test",
                        "dashboard",
                        null,
                        null,
                        "groups",
                        "preferred_username",
                        Map.of("deployers", List.of(Scope.DEPLOY)),
                        List.of("openid"),
                        null,
                        null),
                clock);
    }
}
