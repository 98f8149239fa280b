package io.faasimage.api.client;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that concern logins at image registries. Blocking, thread-safe. */
public final class LoginCalls {
    private static final String PATH = "/v1/registry-logins";

    private final ServiceCalls calls;

    LoginCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** Gives the service a login, in the place of an earlier one for the same repositories. */
    public LoginInfo put(LoginRequest request) throws IOException {
        return calls.read(
                calls.send(calls.request("PUT", PATH).with(calls.json(request), "application/json")),
                new TypeReference<LoginInfo>() {});
    }

    /** All logins, by repository. */
    public List<LoginInfo> all() throws IOException {
        return calls.read(calls.send(calls.get(PATH)), new TypeReference<List<LoginInfo>>() {});
    }

    /** Removes a login. */
    public void delete(String repository) throws IOException {
        String query = "?repository=" + URLEncoder.encode(repository, StandardCharsets.UTF_8);
        calls.bytes(calls.send(calls.request("DELETE", PATH + query)));
    }
}
