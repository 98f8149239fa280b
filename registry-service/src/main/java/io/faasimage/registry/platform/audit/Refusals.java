package io.faasimage.registry.platform.audit;

import io.faasimage.api.concurrent.BoundedMap;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The recorder of refused requests in the {@link AuditLog}. A caller can be refused as often as it likes, so the same
 * refusal is recorded once an hour, and all together a hundred times a minute; the next record has the number of those
 * left out. The answer of a request does not depend on it. Thread-safe.
 */
@Component
public class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final int MOST_KNOWN = 10_000;
    private static final Duration SAME = Duration.ofHours(1);
    private static final int MOST_A_MINUTE = 100;

    private record Refusal(AuditAction action, String actor, String address, String object) {}

    private final AuditLog log;
    private final Clock clock;
    private final Map<Refusal, Instant> known = BoundedMap.lastUsed(MOST_KNOWN);
    private Instant minute = Instant.MIN;
    private int recorded;
    private long leftOut;

    Refusals(AuditLog log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** Records that {@code actor} was refused {@code object} for {@code reason}. */
    public void add(AuditAction action, Actor actor, String object, String reason) {
        long before;
        synchronized (this) {
            Instant now = clock.instant();
            if (!isNew(new Refusal(action, actor.id(), actor.address(), object), now) || !hasRoom(now)) {
                return;
            }
            before = leftOut;
            leftOut = 0;
        }
        Map<String, Object> after = new LinkedHashMap<>();
        after.put("reason", reason);
        if (before > 0) {
            after.put("leftOutBefore", before);
        }
        try {
            log.add(actor, action, object, null, after);
        } catch (DataAccessException e) {
            LOG.warn(
                    "the refusal of {} for {} from {} could not be recorded", object, actor.name(), actor.address(), e);
        }
    }

    private boolean isNew(Refusal refusal, Instant now) {
        Instant last = known.get(refusal);
        if (last != null && now.isBefore(last.plus(SAME)) && !now.isBefore(last)) {
            return false;
        }
        known.put(refusal, now);
        return true;
    }

    private boolean hasRoom(Instant now) {
        if (minute.equals(Instant.MIN) || Duration.between(minute, now).abs().toSeconds() >= 60) {
            minute = now;
            recorded = 0;
        }
        if (recorded >= MOST_A_MINUTE) {
            leftOut++;
            return false;
        }
        recorded++;
        return true;
    }
}
