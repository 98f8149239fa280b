package io.faasimage.docker.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code inspect --format} prints. */
public sealed interface InspectFormat {
    /**
     * The address in a network.
     *
     * @param network its name
     */
    record Address(String network) implements InspectFormat {}

    /** Whether the kernel ended a process for want of memory. */
    record OutOfMemory() implements InspectFormat {}

    /** {@code created}, {@code running}, {@code paused} or {@code exited}. */
    record Status() implements InspectFormat {}

    /** The templates that are understood. */
    Pattern ADDRESS =
            Pattern.compile("\\{\\{\\s*\\.NetworkSettings\\.Networks\\.([A-Za-z0-9_]{1,64})\\.IPAddress\\s*}}");

    /**
     * The format that {@code template} means.
     *
     * @throws UsageException for any that OpenWhisk does not send
     */
    static InspectFormat of(String template) throws UsageException {
        Matcher address = ADDRESS.matcher(template);
        if (address.matches()) {
            return new Address(address.group(1));
        }
        return switch (template.replaceAll("\\s", "")) {
            case "{{.State.OOMKilled}}" -> new OutOfMemory();
            case "{{.State.Status}}" -> new Status();
            case "{{.NetworkSettings.IPAddress}}" -> new Address("bridge");
            default ->
                throw new UsageException(
                        "Template parsing error: '" + template
                                + "' is not understood here; {{.NetworkSettings.Networks.bridge.IPAddress}}, "
                                + "{{.State.OOMKilled}} and {{.State.Status}} are",
                        64);
        };
    }
}
