package io.faasimage.api.client;

import io.faasimage.api.profile.ProfileInfo;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/**
 * Requests of a {@link ServiceClient} that concern profiles of libraries and runtimes. Blocking, thread-safe.
 */
public final class ProfileCalls {
    private final ServiceCalls calls;

    ProfileCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** The profiles of all libraries and runtimes. */
    public List<ProfileInfo> all() throws IOException {
        return of("");
    }

    /** The profiles of the libraries and runtimes with a name. */
    public List<ProfileInfo> of(String name) throws IOException {
        return calls.read(
                calls.send(calls.get("/v1/profiles?name=" + ServiceCalls.segment(name))),
                new TypeReference<List<ProfileInfo>>() {});
    }

    /** Replaces the profiles that were imported before. */
    public void replaceImported(List<ProfileInfo> profiles) throws IOException {
        calls.bytes(calls.send(
                calls.request("PUT", "/v1/profiles/imported").with(calls.json(profiles), "application/json")));
    }
}
