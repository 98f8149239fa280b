package io.faasimage.registry.access.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.platform.config.OidcSettings;
import io.faasimage.registry.platform.config.ServiceAccountSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of which tokens of other issuers are accepted, and of their permissions. */
final class IssuedTokensTest {
    private static final String AUDIENCE = "https://faasimage.test/";
    private static final String ACCOUNT = "system:serviceaccount:faasimage:node";
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    private TestIssuer provider;
    private TestIssuer cluster;
    private IssuedTokens tokens;

    @BeforeEach
    void start() throws IOException {
        provider = new TestIssuer();
        cluster = new TestIssuer();
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        OidcSettings people = new OidcSettings(
                provider.issuer(),
                "dashboard",
                null,
                AUDIENCE,
                "groups",
                "preferred_username",
                Map.of("deployers", List.of(Scope.VIEW, Scope.DEPLOY), "admins", List.of(Scope.ADMIN)),
                List.of("openid"),
                null,
                null);
        ServiceAccountSettings accounts = new ServiceAccountSettings(
                cluster.issuer(), "faasimage", Map.of(ACCOUNT, List.of(Scope.NODE)), null, null);
        tokens = new IssuedTokens(List.of(new People(people, clock), new ServiceAccounts(accounts, clock)));
    }

    @AfterEach
    void stop() {
        provider.close();
        cluster.close();
    }

    private JWTClaimsSet.Builder anna() {
        return provider.claims("4711", AUDIENCE, NOW)
                .claim("preferred_username", "anna")
                .claim("groups", List.of("choir", "deployers"));
    }

    private TokenCheck check(String token) {
        return tokens.check(token).orElseThrow();
    }

    private void assertUnknown(String token) {
        assertThat(tokens.check(token).orElseGet(TokenCheck.Unknown::new)).isInstanceOf(TokenCheck.Unknown.class);
    }

    @Test
    void aPersonMayWhatItsGroupsMay() {
        assertThat(check(provider.sign(anna().build()))).isInstanceOfSatisfying(TokenCheck.Accepted.class, accepted -> {
            assertThat(accepted.identity().id()).isEqualTo("person 4711");
            assertThat(accepted.identity().name()).isEqualTo("user anna");
            assertThat(accepted.identity().scopes()).containsExactlyInAnyOrder(Scope.VIEW, Scope.DEPLOY);
        });
        String stranger = provider.sign(anna().claim("groups", List.of("choir")).build());
        assertThat(check(stranger))
                .isInstanceOfSatisfying(
                        TokenCheck.Refused.class,
                        refused -> assertThat(refused.reason()).contains("anna is in no group"));
        assertThat(provider.reads()).isEqualTo(1);
    }

    @Test
    void forgedTokensAreUnknown() throws JOSEException {
        String genuine = provider.sign(anna().build());
        assertThat(check(genuine)).isInstanceOf(TokenCheck.Accepted.class);
        assertUnknown(TestIssuer.sign(TestIssuer.newKey("first"), anna().build()));
        // The claims of an administrator under the signature of another token.
        String admin = provider.sign(anna().claim("groups", "admins").build());
        assertUnknown(admin.substring(0, admin.lastIndexOf('.')) + genuine.substring(genuine.lastIndexOf('.')));
        assertUnknown(new PlainJWT(anna().build()).serialize());
        SignedJWT symmetric = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), anna().build());
        symmetric.sign(new MACSigner(provider.key().toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
        assertUnknown(symmetric.serialize());
        assertUnknown("eyJ.e30.x");
        assertUnknown("a".repeat(20_000));
    }

    @Test
    void tokensForOthersAndOldOnesAreNotAccepted() {
        assertUnknown(provider.sign(anna().audience("dashboard").build()));
        assertUnknown(provider.sign(anna().issuer("https://other.test").build()));
        // Genuine, of the other issuer's key.
        assertUnknown(cluster.sign(anna().build()));
        assertUnknown(provider.sign(anna().expirationTime(null).build()));
        assertUnknown(provider.sign(
                anna().notBeforeTime(Date.from(NOW.plusSeconds(120))).build()));
        assertThat(check(provider.sign(
                        anna().expirationTime(Date.from(NOW.minusSeconds(61))).build())))
                .isInstanceOfSatisfying(
                        TokenCheck.Refused.class,
                        refused -> assertThat(refused.reason()).contains("anna has expired"));
    }

    @Test
    void aNewKeyIsReadOnceAndAFloodOfUnknownOnesReadsNoMore() {
        assertThat(check(provider.sign(anna().build()))).isInstanceOf(TokenCheck.Accepted.class);
        provider.replaceKey(TestIssuer.newKey("second"));
        assertThat(check(provider.sign(anna().build()))).isInstanceOf(TokenCheck.Accepted.class);
        assertThat(provider.reads()).isEqualTo(2);
        for (int i = 0; i < 50; i++) {
            assertThat(check(TestIssuer.sign(TestIssuer.newKey("unknown " + i), anna().build())))
                    .isNotInstanceOf(TokenCheck.Accepted.class);
        }
        assertThat(provider.reads()).isEqualTo(2);
        assertThat(check(provider.sign(anna().build()))).isInstanceOf(TokenCheck.Accepted.class);
    }

    @Test
    void aProviderThatIsAwayIsNoWrongTokenAndDoesNotMatterOnceItsKeysAreKnown() {
        provider.setAway(true);
        assertThat(check(provider.sign(anna().build())))
                .isInstanceOfSatisfying(
                        TokenCheck.Unverifiable.class,
                        away -> assertThat(away.reason()).contains(provider.issuer(), "503"));
        String account = cluster.sign(cluster.claims(ACCOUNT, "faasimage", NOW).build());
        assertThat(check(account)).isInstanceOf(TokenCheck.Accepted.class);
        cluster.setAway(true);
        assertThat(check(account)).isInstanceOf(TokenCheck.Accepted.class);
    }

    @Test
    void aServiceAccountEnrolsTheNodeOfItsPod() {
        JWTClaimsSet bound = cluster.claims(ACCOUNT, "faasimage", NOW)
                .claim("kubernetes.io", Map.of("node", Map.of("name", "node-1", "uid", "x")))
                .build();
        assertThat(check(cluster.sign(bound))).isInstanceOfSatisfying(TokenCheck.Accepted.class, accepted -> {
            assertThat(accepted.identity().kind()).isEqualTo(TokenKind.ENROLMENT);
            assertThat(accepted.identity().node()).isEqualTo(Optional.of("node-1"));
            assertThat(accepted.identity().scopes()).isEmpty();
        });
        assertThat(check(cluster.sign(cluster.claims("system:serviceaccount:faasimage:other", "faasimage", NOW)
                        .build())))
                .isInstanceOf(TokenCheck.Refused.class);
        assertUnknown(cluster.sign(
                cluster.claims(ACCOUNT, "https://kubernetes.default.svc", NOW).build()));
    }
}
