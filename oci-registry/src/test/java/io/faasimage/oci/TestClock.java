package io.faasimage.oci;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves on. */
final class TestClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
