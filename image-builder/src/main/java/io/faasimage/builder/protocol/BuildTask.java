package io.faasimage.builder.protocol;

import io.faasimage.builder.BuildRequest;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a builder is to do with an archive.
 *
 * @param lease by which the service knows the builder's reports and hands out the archive; a secret
 * @param build the ID of the build
 * @param attempt which one this is, from 1: what an earlier one left is not removed yet
 * @param kind what to do
 * @param request what to build
 * @param logins at the image registries that the build uses
 */
public record BuildTask(
        String lease, String build, int attempt, Kind kind, BuildRequest request, List<ImageLogin> logins) {
    /** What there is to do. */
    public enum Kind {
        /** Unpack the archive to see whether it can be, while who sent it waits. */
        CHECK,
        /** Build and push the image. */
        BUILD
    }

    /**
     * A login at an image registry.
     *
     * @param repository with its registry, as {@code registry.example.com/team/image}
     * @param user not empty
     * @param password never logged
     */
    public record ImageLogin(String repository, String user, String password) {
        @Override
        public String toString() {
            return user + "@" + repository;
        }
    }

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** Checks the ID, which names files and a container, and copies the list. */
    public BuildTask {
        if (!ID.matcher(build).matches()) {
            throw new IllegalArgumentException("a build has an ID of letters, digits and '-'");
        }
        logins = List.copyOf(logins);
    }

    /** The name of the build's files and container. */
    public String directory() {
        return build + "-" + attempt;
    }

    /** The lease stays out of logs. */
    @Override
    public String toString() {
        return kind + " of build " + build + ", attempt " + attempt;
    }
}
