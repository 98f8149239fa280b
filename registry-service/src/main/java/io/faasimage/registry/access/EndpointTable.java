package io.faasimage.registry.access;

import static io.faasimage.api.token.Scope.DEPLOY;
import static io.faasimage.api.token.Scope.NODE;
import static io.faasimage.api.token.Scope.VIEW;

import io.faasimage.api.token.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * The table of the requirements of each endpoint and each page. An endpoint without an entry is the administrators'
 * alone, and fails a test ({@code EndpointTableTest}). Immutable.
 */
@Component
class EndpointTable {
    private static final Requirement NOTHING = new Requirement.Nothing();
    private static final Requirement OWN_NODE = new Requirement.OwnNode();
    private static final Requirement ENROLMENT = new Requirement.Enrolment();

    private static final Requirement ADMINISTRATION = oneOf(Scope.ADMIN);

    /** Reading by people and programs that do not run functions. */
    private static final Requirement READING = oneOf(VIEW, DEPLOY);

    /** Reading that nodes may do, too. */
    private static final Requirement NODES_READING = oneOf(NODE, VIEW, DEPLOY);

    private final Map<Endpoint, Requirement> entries = new LinkedHashMap<>();

    EndpointTable() {
        addOpen();
        addFunctions();
        addImages();
        addNodes();
        addHistory();
        addTokens();
        addAudit();
        addPages();
    }

    private static Requirement oneOf(Scope... scopes) {
        return new Requirement.OneOf(Set.of(scopes));
    }

    private void addOpen() {
        add("GET", "/", NOTHING);
        add("GET", "/v1/health", NOTHING);
        add(Endpoint.ANY, "/error", NOTHING);
        add("GET", "/v3/api-docs", NOTHING);
        add("GET", "/v3/api-docs.yaml", NOTHING);
        add("GET", "/actuator", NOTHING);
        add("GET", "/actuator/health", NOTHING);
        add("GET", "/actuator/health/**", NOTHING);
        add("GET", "/actuator/prometheus", NOTHING);
    }

    private void addFunctions() {
        add("POST", "/v1/functions", oneOf(DEPLOY));
        add("GET", "/v1/functions", READING);
        add("GET", "/v1/functions/{name}", READING);
        add("DELETE", "/v1/functions/{name}", oneOf(DEPLOY));
        add("PUT", "/v1/functions/{name}/pin", oneOf(DEPLOY));
        add("DELETE", "/v1/functions/{name}/pin", oneOf(DEPLOY));
        add("GET", "/v1/views/functions", READING);
        add("GET", "/v1/views/functions/{name}", READING);
    }

    private void addImages() {
        add("GET", "/v1/images", READING);
        add("GET", "/v1/images/{digest}", READING);
        add("GET", "/v1/images/{digest}/plan", READING);
        add("GET", "/v1/images/{digest}/plans", READING);
        add("GET", "/v1/images/{digest}/prediction", READING);
        add("GET", "/v1/images/{digest}/trace", READING);
        add("DELETE", "/v1/images/{digest}/trace", oneOf(DEPLOY));
        add("POST", "/v1/images/{digest}/refactor", oneOf(DEPLOY));
        add("GET", "/v1/profiles", READING);
        add("PUT", "/v1/profiles/imported", oneOf(DEPLOY));
        add("GET", "/v1/jobs", READING);
        add("GET", "/v1/jobs/{id}", READING);
        add("GET", "/v1/views/jobs", READING);
        add("GET", "/v1/views/libraries", READING);
    }

    private void addNodes() {
        add("POST", "/v1/bundles", oneOf(NODE));
        add("GET", "/v1/objects/{digest}", oneOf(NODE));
        add("POST", "/v1/traces", oneOf(NODE));
        add("GET", "/v1/chains/{chain}", NODES_READING);
        add("GET", "/v1/catalogue", NODES_READING);
        add("GET", "/v1/plan-keys", NODES_READING);
        add("GET", "/v1/runtimes", NODES_READING);
        add("GET", "/v1/runtimes/{name}", NODES_READING);
        add("GET", "/v1/nodes", READING);
        add("GET", "/v1/nodes/{name}", READING);
        add("PUT", "/v1/nodes/{name}", OWN_NODE);
        add("POST", "/v1/nodes/{name}/starts", OWN_NODE);
        add("POST", "/v1/nodes/{name}/renew", OWN_NODE);
        add("POST", "/v1/nodes/{name}/enrol", ENROLMENT);
    }

    private void addHistory() {
        add("GET", "/v1/overview", READING);
        add("GET", "/v1/starts", READING);
        add("GET", "/v1/starts/{id}", READING);
        add("GET", "/v1/starts/series", READING);
        add("GET", "/v1/events", READING);
        add("GET", "/v1/events/stream", READING);
    }

    private void addTokens() {
        add("POST", "/v1/tokens", ADMINISTRATION);
        add("GET", "/v1/tokens", ADMINISTRATION);
        add("DELETE", "/v1/tokens/{id}", ADMINISTRATION);
    }

    private void addAudit() {
        add("GET", "/v1/audit", ADMINISTRATION);
        add("GET", "/v1/audit/export", ADMINISTRATION);
        add("GET", "/ui/audit", ADMINISTRATION);
        add("GET", "/ui/audit/export", ADMINISTRATION);
    }

    private void addPages() {
        add("GET", "/ui/assets/{hash}/{name}", NOTHING);
        add("GET", "/ui/sign-in", NOTHING);
        add("POST", "/ui/sign-in", NOTHING);
        add("POST", "/ui/sign-out", READING);
        for (String page : new String[] {
            "/ui",
            "/ui/functions",
            "/ui/functions/{name}",
            "/ui/functions/{name}/{change:delete|retrace}",
            "/ui/register",
            "/ui/starts/{id}",
            "/ui/libraries",
            "/ui/nodes",
            "/ui/jobs",
            "/ui/events",
            "/ui/events/stream"
        }) {
            add("GET", page, READING);
        }
        add(Endpoint.ANY, "/ui/**", READING);
        add("POST", "/ui/register", oneOf(DEPLOY));
        for (String change : new String[] {"refactor", "retrace", "pin", "unpin", "delete"}) {
            add("POST", "/ui/functions/{name}/" + change, oneOf(DEPLOY));
        }
        add("GET", "/ui/tokens", ADMINISTRATION);
        add("POST", "/ui/tokens", ADMINISTRATION);
        add("POST", "/ui/tokens/{id}/revoke", ADMINISTRATION);
    }

    private void add(String method, String pattern, Requirement requirement) {
        entries.put(new Endpoint(method, pattern), requirement);
    }

    /** The requirement of an endpoint; empty when it is not listed. */
    Optional<Requirement> find(Endpoint endpoint) {
        return Optional.ofNullable(entries.get(endpoint))
                .or(() -> Optional.ofNullable(entries.get(new Endpoint(Endpoint.ANY, endpoint.pattern()))));
    }

    Map<Endpoint, Requirement> all() {
        return Map.copyOf(entries);
    }

    /** The requirement of an endpoint without an entry. */
    static Requirement unlisted() {
        return ADMINISTRATION;
    }
}
