package io.faasimage.adapter.openwhisk;

import io.faasimage.adapter.openwhisk.ImageChange.Register;
import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The runtimes manifest ({@code runtimes.json}): images of managed runtimes, which invokers start without ever pulling
 * them.
 */
public final class RuntimesManifest {
    private static final int MOST_RUNTIMES = 1000;

    private RuntimesManifest() {}

    /**
     * The images of a manifest that are not deprecated, one function for each kind, and those of trusted blackboxes.
     *
     * @param json the manifest
     * @param runtimesRegistry the invokers' {@code whisk.container-factory.runtimes-registry.url}; empty for none
     * @throws IOException when it is no manifest; the message is for the user
     */
    public static List<Register> read(byte[] json, String runtimesRegistry) throws IOException {
        JsonNode manifest;
        try {
            manifest = Json.mapper().readTree(json);
        } catch (JacksonException e) {
            throw new IOException("the runtimes manifest is not JSON: " + e.getOriginalMessage(), e);
        }
        if (!manifest.path("runtimes").isObject()) {
            throw new IOException("the runtimes manifest has no object 'runtimes'; give OpenWhisk's runtimes.json");
        }
        InvokerImages images = new InvokerImages(runtimesRegistry);
        List<Register> found = new ArrayList<>();
        for (JsonNode family : manifest.path("runtimes")) {
            for (JsonNode runtime : family) {
                String kind = runtime.path("kind").asString("");
                if (!kind.isEmpty() && !runtime.path("deprecated").asBoolean(false)) {
                    add(found, kind, images, runtime.path("image"));
                }
            }
        }
        for (JsonNode blackbox : manifest.path("blackboxes")) {
            String name = blackbox.path("name").asString("blackbox");
            add(found, "blackbox:" + blackbox.path("prefix").asString("") + "/" + name, images, blackbox);
        }
        if (found.size() > MOST_RUNTIMES) {
            throw new IOException(
                    "the runtimes manifest names " + found.size() + " images; " + MOST_RUNTIMES + " at most");
        }
        return found;
    }

    private static void add(List<Register> found, String kind, InvokerImages images, JsonNode image) {
        images.of(image).ifPresent(reference -> found.add(new Register(FunctionNames.ofRuntime(kind), reference)));
    }
}
