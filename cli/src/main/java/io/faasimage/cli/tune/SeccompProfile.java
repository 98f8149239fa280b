package io.faasimage.cli.tune;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A seccomp profile for programs of this machine's own architecture. The usual profiles also have rules for programs of
 * its 32-bit relatives, and the OCI runtime resolves and compiles each of the several hundred system calls for each
 * architecture again at every start. Without them such programs cannot make a system call at all, and those of the
 * machine's own have the same ones as before.
 *
 * @param json in the form of the OCI runtime specification, or in Docker's
 */
record SeccompProfile(ObjectNode json) {
    private static final Map<String, String> NATIVE = Map.of(
            "amd64", "SCMP_ARCH_X86_64",
            "aarch64", "SCMP_ARCH_AARCH64",
            "riscv64", "SCMP_ARCH_RISCV64",
            "ppc64le", "SCMP_ARCH_PPC64LE",
            "s390x", "SCMP_ARCH_S390X");

    /**
     * Reads a profile, or a container's specification that contains one.
     *
     * @param file a profile, an OCI {@code config.json}, or what {@code ctr containers info} prints
     */
    static SeccompProfile read(Path file) throws IOException {
        JsonNode root;
        try {
            root = Json.mapper().readTree(Files.readString(file));
        } catch (JacksonException e) {
            throw new IOException(file + " is not JSON: " + e.getOriginalMessage(), e);
        }
        for (JsonNode found : List.of(root, root.path("linux").path("seccomp"), root.at("/Spec/linux/seccomp"))) {
            if (found instanceof ObjectNode profile && profile.has("defaultAction")) {
                return new SeccompProfile(profile);
            }
        }
        throw new IOException(file + " has no seccomp profile: neither itself nor linux.seccomp has a defaultAction");
    }

    /**
     * The profile without other architectures than this machine's.
     *
     * @param machine as in the system property {@code os.arch}
     * @throws IOException when the profile is not for this machine
     */
    SeccompProfile nativeTo(String machine) throws IOException {
        String architecture = NATIVE.get(machine);
        if (architecture == null) {
            throw new IOException("the name of the architecture " + machine + " in seccomp profiles is not known");
        }
        ObjectNode copy = json.deepCopy();
        boolean changed = copy.path("architectures") instanceof ArrayNode list && keep(list, architecture);
        if (copy.path("archMap") instanceof ArrayNode map) {
            for (JsonNode entry : map) {
                if (entry instanceof ObjectNode object
                        && object.path("architecture").asString("").equals(architecture)) {
                    object.putArray("subArchitectures");
                    changed = true;
                }
            }
        }
        if (!changed) {
            throw new IOException("the profile has no rules for " + architecture);
        }
        return new SeccompProfile(copy);
    }

    private static boolean keep(ArrayNode list, String architecture) {
        boolean named = list.valueStream().anyMatch(entry -> entry.asString("").equals(architecture));
        list.removeAll();
        list.add(architecture);
        return named;
    }

    @Override
    public String toString() {
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }
}
