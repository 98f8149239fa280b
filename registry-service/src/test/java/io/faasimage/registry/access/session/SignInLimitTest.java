package io.faasimage.registry.access.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.platform.config.PageSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests of the time that wrong tokens make an address wait. */
class SignInLimitTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Objects.requireNonNull(now.get());
        }
    };
    private final SignInLimit limit = new SignInLimit(new PageSettings(null, false, Duration.ofHours(12), 3), clock);

    private int guesses;

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            limit.failed(address, "guess " + guesses++);
        }
    }

    @Test
    void theThirdWrongTokenMakesWaitAndEachFurtherOneTwiceAsLong() {
        fail("192.0.2.1", 2);
        assertThat(limit.wait("192.0.2.1")).isZero();
        fail("192.0.2.1", 1);
        assertThat(limit.wait("192.0.2.1")).isEqualTo(Duration.ofSeconds(30));
        now.updateAndGet(time -> time.plusSeconds(31));
        assertThat(limit.wait("192.0.2.1")).isZero();
        fail("192.0.2.1", 1);
        assertThat(limit.wait("192.0.2.1")).isEqualTo(Duration.ofSeconds(60));
        fail("192.0.2.1", 50);
        assertThat(limit.wait("192.0.2.1")).isEqualTo(Duration.ofMinutes(15));
        assertThat(limit.wait("192.0.2.2")).isZero();
    }

    @Test
    void theRightTokenAndTimeForgive() {
        fail("192.0.2.1", 2);
        limit.succeeded("192.0.2.1", Identity.ADMINISTRATOR);
        fail("192.0.2.1", 2);
        assertThat(limit.wait("192.0.2.1")).isZero();
        now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
        fail("192.0.2.1", 2);
        assertThat(limit.wait("192.0.2.1")).isZero();
    }

    @Test
    void anIpv6NetworkIsOneAddress() {
        fail("2001:db8:0:1::1", 2);
        fail("2001:db8:0:1:ffff::2", 1);
        assertThat(limit.wait("2001:db8:0:1::3")).isPositive();
        assertThat(limit.wait("2001:db8:0:2::1")).isZero();
    }

    @Test
    void onlyTheNewestAddressesAreRemembered() {
        fail("192.0.2.1", 5);
        for (int i = 0; i < 10_000; i++) {
            limit.failed("10.0." + i / 256 + "." + i % 256, "guess");
        }
        assertThat(limit.wait("192.0.2.1")).isZero();
    }

    @Test
    void theSameWrongTokenAgainIsNoGuess() {
        for (int i = 0; i < 100; i++) {
            limit.failed("192.0.2.1", "an old token");
        }
        assertThat(limit.wait("192.0.2.1")).isZero();
        fail("192.0.2.1", 2);
        assertThat(limit.wait("192.0.2.1")).isPositive();
    }

    @Test
    void whoHadTheRightTokenOfLateIsKnown() {
        limit.prove("192.0.2.1", Identity.ADMINISTRATOR);
        fail("192.0.2.1", 5);
        assertThat(limit.wait("192.0.2.1")).isPositive();
        assertThat(limit.isProven("192.0.2.1", Identity.ADMINISTRATOR.id())).isTrue();
        assertThat(limit.isProven("192.0.2.2", Identity.ADMINISTRATOR.id())).isFalse();
        now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
        assertThat(limit.isProven("192.0.2.1", Identity.ADMINISTRATOR.id())).isFalse();
    }

    @Test
    void aViewerIsNotTakenForTheAdministrator() {
        limit.prove("192.0.2.1", Identity.VIEWER);
        fail("192.0.2.1", 3);
        limit.succeeded("192.0.2.1", Identity.VIEWER);
        assertThat(limit.wait("192.0.2.1")).isPositive();
        assertThat(limit.isProven("192.0.2.1", Identity.VIEWER.id())).isTrue();
        assertThat(limit.isProven("192.0.2.1", Identity.ADMINISTRATOR.id())).isFalse();
    }
}
