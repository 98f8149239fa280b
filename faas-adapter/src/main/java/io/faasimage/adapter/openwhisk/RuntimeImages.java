package io.faasimage.adapter.openwhisk;

import io.faasimage.adapter.openwhisk.ImageChange.Register;
import io.faasimage.adapter.registration.RegistrationChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registration of the images of a runtimes manifest, repeated when the file changes. For one thread. */
public final class RuntimeImages implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeImages.class);
    private static final int MOST_BYTES = 4 << 20;

    private final Path manifest;
    private final String runtimesRegistry;
    private final Consumer<RegistrationChange> changes;
    private List<Register> last = List.of();
    private String trouble = "";

    /**
     * The images of {@code manifest}.
     *
     * @param runtimesRegistry the invokers' {@code whisk.container-factory.runtimes-registry.url}; empty for none
     */
    public RuntimeImages(Path manifest, String runtimesRegistry, Consumer<RegistrationChange> changes) {
        this.manifest = manifest;
        this.runtimesRegistry = runtimesRegistry;
        this.changes = changes;
    }

    /** Reads the manifest once; a failure is logged once. */
    @Override
    public void run() {
        try {
            List<Register> found = read();
            found.stream()
                    .filter(image -> !last.contains(image))
                    .map(ControllerObserver::registrationChange)
                    .forEach(changes);
            last = found;
            trouble = "";
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(trouble)) {
                LOG.warn("the images of {} are not registered, will try again: {}", manifest, reason);
            }
            trouble = reason;
        }
    }

    private List<Register> read() throws IOException {
        if (Files.size(manifest) > MOST_BYTES) {
            throw new IOException("it has more than " + MOST_BYTES + " bytes");
        }
        return RuntimesManifest.read(Files.readAllBytes(manifest), runtimesRegistry);
    }
}
