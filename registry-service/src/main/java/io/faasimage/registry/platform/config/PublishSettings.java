package io.faasimage.registry.platform.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The setting of which plans are also put beside their images.
 *
 * @param publish repositories whose images' plans this service pushes into the images' registries, such as
 *     {@code registry.example.com/team/*}; {@code *} stands for any characters; none when empty
 */
@ConfigurationProperties("faasimage")
public record PublishSettings(@DefaultValue List<String> publish) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:/*\\[\\]-]+");

    /** Checks the patterns. */
    public PublishSettings {
        publish = List.copyOf(publish);
        for (String pattern : publish) {
            if (!FORM.matcher(pattern).matches() || !pattern.contains("/")) {
                throw new IllegalArgumentException(
                        "faasimage.publish: '" + pattern + "' is not a repository such as registry.example.com/team/*");
            }
        }
    }

    /** Whether plans of images in this repository are published; {@code registry/repository}. */
    public boolean covers(String repository) {
        return publish.stream()
                .anyMatch(pattern -> regular(pattern).matcher(repository).matches());
    }

    private static Pattern regular(String pattern) {
        return Pattern.compile(
                Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
