package io.faasimage.api.client;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.LearntCachesInfo;
import io.faasimage.api.rest.MediaTypes;
import java.io.IOException;
import tools.jackson.core.type.TypeReference;

/**
 * Requests of a {@link ServiceClient} that concern what starts write into caches of language runtimes. Blocking,
 * thread-safe.
 */
public final class CacheCalls {
    private final ServiceCalls calls;

    CacheCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** The caches that are learnt for a function. */
    public LearntCachesInfo of(String function) throws IOException {
        return calls.read(calls.send(calls.get(path(function))), new TypeReference<LearntCachesInfo>() {});
    }

    /** Lets a function's traced starts be learnt from. */
    public FunctionInfo learn(String function) throws IOException {
        return calls.read(calls.send(calls.request("PUT", path(function))), new TypeReference<FunctionInfo>() {});
    }

    /** Ends that, and drops what was learnt. */
    public FunctionInfo forget(String function) throws IOException {
        return calls.read(calls.send(calls.request("DELETE", path(function))), new TypeReference<FunctionInfo>() {});
    }

    /** Reports what a start on {@code node} wrote. */
    public void report(String node, byte[] encoded) throws IOException {
        String path = "/v1/nodes/" + ServiceCalls.segment(node) + "/caches";
        calls.bytes(calls.send(calls.post(path, encoded, MediaTypes.LEARNT_CACHES)));
    }

    private static String path(String function) {
        return "/v1/functions/" + ServiceCalls.segment(function) + "/caches";
    }
}
