package io.faasimage.registry.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.login.PullLogin;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.RegistryLogins.Login;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The logins that deployments bring, in a tenant of their own. */
class FunctionLoginsTest extends ServiceTest {
    private static final TenantName TENANT = new TenantName("logins");
    private static final String ONE = "registry.test/team/one";
    private static final String TWO = "registry.test/team/two";

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data);
        service.client().tenants().create(new TenantRequest(TENANT.text(), null));
        for (String repository : new String[] {ONE, TWO}) {
            service.images().push(repository + ":1", "base", repository);
            service.images().push(repository + ":2", "base", repository, "more");
        }
    }

    private static ServiceClient client() {
        return ServiceClient.actingFor(TENANT.text(), ServiceConfig.of(service.base(), Optional.of(TestService.TOKEN)));
    }

    private static void deploy(String function, String image, @Nullable PullLogin login) throws IOException {
        try (ServiceClient client = client()) {
            client.replace(new FunctionRequest(function, image, null, null, null, null, login));
        }
    }

    private static Optional<Login> found(TenantName tenant, String repository) {
        return TenantScope.call(
                tenant, () -> service.part(FunctionLogins.class).find(ImageReference.parse(repository + ":9")));
    }

    private static void assertLogin(String repository, @Nullable PullLogin expected) {
        assertThat(found(TENANT, repository))
                .isEqualTo(Optional.ofNullable(expected).map(login -> new Login(login.user(), login.password())));
    }

    @Test
    void aLoginIsReplacedByTheNextDeploymentAndGoesWithTheFunction() throws Exception {
        PullLogin first = new PullLogin("robot", "first-password");
        PullLogin second = new PullLogin("robot", "second-password");
        deploy("hello", ONE + ":1", first);
        assertLogin(ONE, first);
        deploy("hello", ONE + ":2", null);
        assertLogin(ONE, first);
        deploy("hello", ONE + ":2", second);
        assertLogin(ONE, second);
        deploy("other", ONE + ":1", first);
        assertLogin(ONE, first);
        assertLogin(ONE + "/below", null);
        assertLogin(TWO, null);
        assertThat(found(TenantName.DEFAULT, ONE)).isEmpty();

        deploy("other", TWO + ":1", null);
        assertLogin(TWO, null);
        assertLogin(ONE, second);
        try (ServiceClient client = client()) {
            client.deleteFunction("hello", false);
            assertLogin(ONE, null);
            client.deleteFunction("other", false);
        }
    }

    @Test
    void noPasswordIsStoredOrAnsweredInClear() throws Exception {
        deploy("secret", TWO + ":1", new PullLogin("robot", "clear-password"));
        String stored = TenantScope.call(
                TENANT,
                () -> service.part(JdbcClient.class)
                        .sql("SELECT secret FROM function_logins WHERE function = 'secret'")
                        .query(String.class)
                        .single());
        assertThat(stored).isNotEmpty().doesNotContain("clear-password");
        String audit = TenantScope.call(
                        TENANT,
                        () -> service.part(JdbcClient.class)
                                .sql("SELECT * FROM audit_log")
                                .query()
                                .listOfRows())
                .toString();
        assertThat(audit).contains(TWO + " of function secret").doesNotContain("clear-password");
        try (ServiceClient client = client()) {
            assertThat(client.function("secret").toString()).doesNotContain("clear-password");
            client.deleteFunction("secret", false);
        }
    }

    /** A row that was moved to another function, as by somebody with the database alone, is not used. */
    @Test
    void aMovedRowIsOfNoUse() throws Exception {
        deploy("moved", ONE + ":1", new PullLogin("robot", "password"));
        TenantScope.run(
                TENANT,
                () -> service.part(JdbcClient.class)
                        .sql("UPDATE function_logins SET repository = ? WHERE function = 'moved'")
                        .param(TWO)
                        .update());
        assertLogin(TWO, null);
        try (ServiceClient client = client()) {
            client.deleteFunction("moved", false);
        }
    }
}
