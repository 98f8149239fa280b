package io.faasimage.docker.command;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What can be asked. */
public sealed interface Command {
    /**
     * {@code version}.
     *
     * @param format what to print; empty for all
     */
    record Version(Optional<String> format) implements Command {}

    /** {@code --version}. */
    record ShortVersion() implements Command {}

    /** {@code info}. */
    record Info() implements Command {}

    /**
     * {@code images NAME}.
     *
     * @param image its name
     */
    record Images(String image) implements Command {}

    /**
     * {@code ps --quiet --no-trunc}.
     *
     * @param all whether those that do not run count, too
     * @param names patterns, of which a container's name must match one when there are any
     */
    record Ps(boolean all, List<Pattern> names) implements Command {
        /** Copies the list. */
        public Ps {
            names = List.copyOf(names);
        }
    }

    /**
     * {@code pull}.
     *
     * @param image its name
     */
    record Pull(String image) implements Command {}

    /**
     * {@code run -d}.
     *
     * @param image its name
     * @param arguments for the entry point, instead of the image's own when there are any
     * @param options how it runs
     */
    record Run(String image, List<String> arguments, RunOptions options) implements Command {
        /** Copies the list. */
        public Run {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * {@code inspect --format}.
     *
     * @param containers names or IDs
     * @param format what to print of each
     */
    record Inspect(List<String> containers, InspectFormat format) implements Command {
        /** Copies the list. */
        public Inspect {
            containers = List.copyOf(containers);
        }
    }

    /**
     * {@code logs}.
     *
     * @param container name or ID
     * @param since the first moment
     * @param until the last moment
     * @param timestamps whether each line begins with its time
     */
    record Logs(String container, Optional<Instant> since, Optional<Instant> until, boolean timestamps)
            implements Command {}

    /**
     * {@code pause}.
     *
     * @param containers names or IDs
     */
    record Pause(List<String> containers) implements Command {
        /** Copies the list. */
        public Pause {
            containers = List.copyOf(containers);
        }
    }

    /**
     * {@code unpause}.
     *
     * @param containers names or IDs
     */
    record Unpause(List<String> containers) implements Command {
        /** Copies the list. */
        public Unpause {
            containers = List.copyOf(containers);
        }
    }

    /**
     * {@code rm}.
     *
     * @param containers names or IDs
     * @param force whether running ones are ended
     */
    record Rm(List<String> containers, boolean force) implements Command {
        /** Copies the list. */
        public Rm {
            containers = List.copyOf(containers);
        }
    }
}
