package io.faasimage.registry.identity;

import io.faasimage.registry.config.AccessToken;
import java.time.Clock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Verifiers for tests of the tokens of the settings, without a service. */
public final class Verifiers {
    private Verifiers() {}

    /** A verifier whose table cannot be read. */
    public static TokenVerifier withoutTable(AccessToken configured, Clock clock) {
        TokenTable table = new TokenTable(JdbcClient.create(new DriverManagerDataSource("jdbc:none")));
        return new TokenVerifier(configured, new RecentTokens(table), new TokenUses(table, clock), clock);
    }
}
