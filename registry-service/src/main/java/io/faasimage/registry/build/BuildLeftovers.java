package io.faasimage.registry.build;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.builder.ImageBuilder;
import io.faasimage.registry.event.EventLog;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The removal of what the builds of a killed service left. What cannot be removed, such as an immutable file or a busy
 * mount, is an event with the remedy; it takes disk space and hinders neither the service nor its builds. For one
 * thread.
 */
@Component
class BuildLeftovers {
    private static final Logger LOG = LoggerFactory.getLogger(BuildLeftovers.class);

    /** The removal of one kind of leftovers. */
    @FunctionalInterface
    interface Removal {
        /** Removes all that it can. */
        void run() throws IOException;
    }

    private final List<Removal> removals;
    private final Consumer<String> report;

    @Autowired
    BuildLeftovers(BuildFiles files, ImageBuilder builder, EventLog events) {
        this(
                List.of(files::removeLeftovers, builder::removeLeftovers),
                text -> events.builds("leftovers", EventInfo.Severity.ERROR, text));
    }

    BuildLeftovers(List<Removal> removals, Consumer<String> report) {
        this.removals = removals;
        this.report = report;
    }

    /** Removes them; one kind that cannot be removed does not keep the others. */
    void remove() {
        for (Removal removal : removals) {
            try {
                removal.run();
            } catch (IOException | RuntimeException e) {
                LOG.warn("could not remove the files of earlier builds", e);
                report("could not remove what an earlier build left (" + reasons(e) + "); it takes disk space. If it"
                        + " is a mount (findmnt), unmount it; if it is immutable (lsattr), run chattr -R -i; the next"
                        + " start of the service tries again");
            }
        }
    }

    private void report(String text) {
        try {
            report.accept(text);
        } catch (DataAccessException e) {
            LOG.warn("could not report an event to the database: {}: {}", text, e.toString());
        }
    }

    private static String reasons(Exception e) {
        StringBuilder all = new StringBuilder(e.toString());
        for (Throwable more : e.getSuppressed()) {
            all.append(", ").append(more);
        }
        return all.toString();
    }
}
