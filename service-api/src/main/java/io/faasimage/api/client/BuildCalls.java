package io.faasimage.api.client;

import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that concern builds of functions from their code. Blocking, thread-safe. */
public final class BuildCalls {
    private final ServiceCalls calls;

    BuildCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** Sends a function's code to be built and then registered; the archive is a zip or tar of its directory. */
    public BuildInfo submit(BuildRequest request, Path archive) throws IOException {
        return submit(request, archive, Map.of());
    }

    /** As above, with secrets for the installation of the libraries: contents by id. The service stores none. */
    public BuildInfo submit(BuildRequest request, Path archive, Map<String, byte[]> secrets) throws IOException {
        MultipartBody body = new MultipartBody(calls.json(request), secrets, archive);
        return calls.read(
                calls.send(calls.request("POST", "/v1/functions").with(body)), new TypeReference<BuildInfo>() {});
    }

    /** One build. */
    public BuildInfo get(String id) throws IOException {
        return calls.read(calls.send(calls.get("/v1/builds/" + segment(id))), new TypeReference<BuildInfo>() {});
    }

    /** All builds that are remembered, newest first. */
    public List<BuildInfo> all() throws IOException {
        return calls.read(calls.send(calls.get("/v1/builds")), new TypeReference<List<BuildInfo>>() {});
    }

    /** What the package manager of a build printed, from a byte on; empty when there is no more yet. */
    public byte[] output(String id, long from) throws IOException {
        return calls.bytes(calls.send(calls.get("/v1/builds/" + segment(id) + "/output?from=" + from)));
    }

    /** The languages that functions can be built in, by name. */
    public List<LanguageInfo> languages() throws IOException {
        return calls.read(calls.send(calls.get("/v1/languages")), new TypeReference<List<LanguageInfo>>() {});
    }

    private static String segment(String text) {
        return ServiceCalls.segment(text);
    }
}
