package io.faasimage.docker.call;

import java.io.IOException;
import java.util.List;

/** Does commands. Called on one virtual thread per command. */
@FunctionalInterface
public interface CallHandler {
    /**
     * Does one command.
     *
     * @param arguments those of the command line, without the program's name
     * @param call takes what it prints
     * @return the exit code
     * @throws IOException when the command cannot be told any more
     */
    int handle(List<String> arguments, Call call) throws IOException;
}
