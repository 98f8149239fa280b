package io.faasimage.node.plans.plan;

import io.faasimage.api.image.StartMode;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The settings that the functions of plans' images request, on the local disk: {@code plans/<hex>.settings}.
 * Thread-safe.
 */
public final class SettingsFiles {
    private static final String SUFFIX = ".settings";
    private static final String TOPIC = "plan";

    private final Path plans;
    private final Events events;
    private final Map<Digest, PlanSettings> known = new ConcurrentHashMap<>();

    SettingsFiles(Path plans, Events events) {
        this.plans = plans;
        this.events = events;
    }

    /** Stores the settings that the functions of the plan's image request. */
    public void save(Digest plan, PlanSettings settings) throws IOException {
        if (!settings.equals(of(plan))) {
            byte[] text = settings.text().getBytes(StandardCharsets.UTF_8);
            AtomicFile.publish(file(plan), out -> out.write(text));
            known.put(plan, settings);
        }
    }

    /** When containers of the plan's image start, if its functions say. */
    public Optional<StartMode> startMode(Digest plan) {
        return of(plan).start();
    }

    /** The settings that the functions of the plan's image request. */
    public PlanSettings of(Digest plan) {
        return known.computeIfAbsent(plan, this::read);
    }

    private PlanSettings read(Digest plan) {
        try {
            return PlanSettings.parse(Files.readString(file(plan)));
        } catch (NoSuchFileException e) {
            return PlanSettings.NONE;
        } catch (IOException | IllegalArgumentException e) {
            events.error(TOPIC, "the settings of plan " + plan + " are unreadable and ignored: " + Events.reason(e));
            return PlanSettings.NONE;
        }
    }

    void remove(Digest plan) throws IOException {
        Files.deleteIfExists(file(plan));
        known.remove(plan);
    }

    private Path file(Digest plan) {
        return plans.resolve(plan.hex() + SUFFIX);
    }
}
