package io.faasimage.registry.platform.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The dashboard at {@code /ui}, as {@code --faasimage.pages.<name>=<value>}.
 *
 * @param viewerToken a second token, which may look at everything and change nothing; none when absent
 * @param anonymous whether who is not signed in is a viewer
 * @param session how long a sign-in lasts
 * @param attempts wrong tokens of one address before it has to wait
 */
@ConfigurationProperties("faasimage.pages")
public record PageSettings(
        @Nullable String viewerToken,
        @DefaultValue("false") boolean anonymous,
        @DefaultValue("12h") Duration session,
        @DefaultValue("5") int attempts) {
    private static final int SHORTEST_TOKEN = 16;

    /** Checks the limits; a blank token is none. */
    public PageSettings {
        viewerToken = viewerToken == null || viewerToken.isBlank() ? null : viewerToken.strip();
        if (viewerToken != null && viewerToken.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException(
                    "faasimage.pages.viewer-token must have " + SHORTEST_TOKEN + " characters or more");
        }
        if (session.toSeconds() < 60 || session.toDays() > 30 || attempts < 1) {
            throw new IllegalArgumentException(
                    "faasimage.pages.session must be 1m to 30d, faasimage.pages.attempts 1 or more");
        }
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "session " + session + (anonymous ? ", anonymous viewers" : "");
    }
}
