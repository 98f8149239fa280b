package io.faasimage.registry.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.identity.Person;
import io.faasimage.registry.identity.Verifiers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the permissions of a sign-in, and of its lifetime. */
class SessionsTest {
    private static final String VIEWER = "viewer-token-of-a-test";
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir
    Path directory;

    private @Nullable DataDirectory data;

    @BeforeEach
    void open() {
        data = DataDirectory.open(directory);
    }

    @AfterEach
    void close() throws IOException {
        if (data != null) {
            data.close();
        }
    }

    private Sessions sessions(String token, @Nullable String viewer, Instant now) {
        PageSettings settings = new PageSettings(viewer, false, Duration.ofHours(12), 5);
        if (data == null) {
            throw new IllegalStateException();
        }
        AccessToken tokens = AccessToken.of(token, viewer, data);
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        return new Sessions(tokens, Verifiers.withoutTable(tokens, clock), Verifiers.people(clock), settings, clock);
    }

    @Test
    void aSignInIsKnownByAnotherServiceWithTheSameTokenUntilItEnds() {
        String value = sessions("secret-of-the-test", VIEWER, NOW).issue(Identity.ADMINISTRATOR);
        Session session = sessions("secret-of-the-test", VIEWER, NOW.plus(Duration.ofHours(11)))
                .find(value)
                .orElseThrow();
        assertThat(session.identity()).isEqualTo(Identity.ADMINISTRATOR);
        assertThat(session.signedIn()).isTrue();
        assertThat(sessions("secret-of-the-test", VIEWER, NOW.plus(Duration.ofHours(12)))
                        .find(value))
                .isEmpty();
        assertThat(sessions("another-secret-of-it", VIEWER, NOW).find(value)).isEmpty();
    }

    @Test
    void aViewerIsNoAdministratorWhateverItWrites() {
        Sessions sessions = sessions("secret-of-the-test", VIEWER, NOW);
        String value = sessions.issue(Identity.VIEWER);
        assertThat(sessions.find(value).orElseThrow().identity()).isEqualTo(Identity.VIEWER);
        byte[] bytes = Base64.getUrlDecoder().decode(value);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(sessions.find(Base64.getUrlEncoder().encodeToString(changed)))
                    .as("byte %d", i)
                    .isEmpty();
        }
        assertThat(sessions("secret-of-the-test", null, NOW).find(value)).isEmpty();
    }

    @Test
    void aPersonMayWhatTheSettingsPermitItsGroupsNow() {
        Sessions sessions = sessions("secret-of-the-test", null, NOW);
        Person anna = new Person("4711", "anna", List.of("deployers"));
        Session session = sessions.find(sessions.issue(anna)).orElseThrow();
        assertThat(session.identity().name()).isEqualTo("user anna");
        assertThat(session.identity().scopes()).containsExactly(Scope.DEPLOY);
        Person left = new Person("4711", "anna", List.of("a group that the settings do not mention"));
        assertThat(sessions.find(sessions.issue(left))).isEmpty();
    }

    @Test
    void nonsenseIsNoSignIn() {
        Sessions sessions = sessions("secret-of-the-test", null, NOW);
        for (String value : new String[] {"", "x", "====", "AAAA", "é", "A".repeat(76), "f".repeat(10_000)}) {
            assertThat(sessions.find(value)).isEmpty();
        }
    }
}
