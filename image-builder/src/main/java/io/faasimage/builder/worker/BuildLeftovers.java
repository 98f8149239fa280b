package io.faasimage.builder.worker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * The removal of what the builds of a killed process left. What cannot be removed, such as an immutable file or a busy
 * mount, is an event with the remedy; it takes disk space and hinders neither the builder nor its builds. For one
 * thread.
 */
final class BuildLeftovers {
    private static final Logger LOG = System.getLogger(BuildLeftovers.class.getName());

    /** The removal of one kind of leftovers. */
    @FunctionalInterface
    interface Removal {
        /** Removes all that it can. */
        void run() throws IOException;
    }

    /** A receiver of events. */
    @FunctionalInterface
    interface Report {
        /** Tells the operator. */
        void send(String text) throws IOException;
    }

    private final List<Removal> removals;
    private final Report report;

    BuildLeftovers(List<Removal> removals, Report report) {
        this.removals = removals;
        this.report = report;
    }

    /** Removes them; one kind that cannot be removed does not keep the others. */
    void remove() {
        for (Removal removal : removals) {
            try {
                removal.run();
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.WARNING, "could not remove the files of earlier builds", e);
                report("could not remove what an earlier build left (" + reasons(e) + "); it takes disk space. If it"
                        + " is a mount (findmnt), unmount it; if it is immutable (lsattr), run chattr -R -i; the next"
                        + " start of the builder tries again");
            }
        }
    }

    private void report(String text) {
        try {
            report.send(text);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not report an event to the service: " + text + ": " + e);
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
