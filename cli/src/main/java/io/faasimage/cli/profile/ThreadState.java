package io.faasimage.cli.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A thread between two of its events. Collects the stretches in which it worked, those of a system call once it is
 * known what the call was for.
 */
final class ThreadState {
    private final List<Activity> activities;
    private final List<Activity> ofCall = new ArrayList<>();
    private Part part;
    private Category category = Category.PLATFORM;
    private boolean working;
    private @Nullable WaitReason wait;
    private long since;

    ThreadState(Part part, boolean working, long since, List<Activity> activities) {
        this.part = part;
        this.working = working;
        this.since = since;
        this.activities = activities;
    }

    Part part() {
        return part;
    }

    /** It runs another program, or has come into the container. */
    void becomes(Part next, long micros) {
        cut(micros);
        part = next;
    }

    void enters(Category of, long micros) {
        goesOn(micros);
        endCall();
        category = of;
    }

    void exits(long micros) {
        goesOn(micros);
        endCall();
        category = Category.PLATFORM;
    }

    /** The system call that it is in concerns cgroups. */
    void concernsCgroups() {
        category = Category.CGROUPS;
    }

    /** @param state as of {@link TraceEvent.Switch} */
    void leavesProcessor(char state, long micros) {
        cut(micros);
        switch (state) {
            case 'R' -> wait = WaitReason.PROCESSOR;
            case 'D' -> wait = WaitReason.OTHER;
            default -> working = false;
        }
    }

    /** Why it left the processor just now. */
    void waitsFor(WaitReason reason) {
        if (wait == WaitReason.OTHER) {
            wait = reason;
        }
    }

    /** It has a processor. */
    void goesOn(long micros) {
        cut(micros);
        working = true;
        wait = null;
    }

    void ends(long micros) {
        cut(micros);
        endCall();
        working = false;
    }

    private void cut(long micros) {
        if (working && micros > since) {
            ofCall.add(new Activity(since, micros, part, category, Optional.ofNullable(wait)));
        }
        since = micros;
    }

    private void endCall() {
        for (Activity activity : ofCall) {
            activities.add(new Activity(activity.from(), activity.to(), activity.part(), category, activity.reason()));
        }
        ofCall.clear();
    }
}
