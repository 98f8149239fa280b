package io.faasimage.docker.spec;

import io.faasimage.api.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The system calls that a container may use: those of {@code seccomp.json}, which is Docker's list. All others fail
 * with EPERM, and {@code clone3} with ENOSYS: its flags cannot be looked at, and C libraries use {@code clone} when it
 * is not there.
 *
 * <p>The file has the specification's form, but for {@code architectures}, of which a machine's own are taken, and
 * entries with an {@code architecture} or a {@code capability}, which count where there is that one.
 */
final class SystemCalls {
    private static final JsonNode LIST = read();
    private static final Set<String> OURS = Set.of("architecture", "capability");

    private SystemCalls() {}

    private static JsonNode read() {
        try (InputStream file = Objects.requireNonNull(SystemCalls.class.getResourceAsStream("seccomp.json"))) {
            return Json.mapper().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The filter, as the specification has it.
     *
     * @param machine {@code os.arch}
     * @param capabilities that the container may have
     */
    static ObjectNode filter(String machine, List<String> capabilities) {
        ObjectNode filter = Json.mapper().createObjectNode();
        filter.set("defaultAction", LIST.path("defaultAction"));
        filter.set("defaultErrnoRet", LIST.path("defaultErrnoRet"));
        filter.set("architectures", LIST.path("architectures").required(machine));
        ArrayNode calls = filter.putArray("syscalls");
        for (JsonNode rule : LIST.path("syscalls")) {
            if (rule.path("architecture").asString(machine).equals(machine)
                    && (!rule.has("capability")
                            || capabilities.contains(rule.path("capability").asString()))) {
                ObjectNode kept = calls.addObject();
                rule.properties().stream()
                        .filter(property -> !OURS.contains(property.getKey()))
                        .forEach(property -> kept.set(property.getKey(), property.getValue()));
            }
        }
        return filter;
    }
}
