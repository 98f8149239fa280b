package io.faasimage.registry.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.testing.Wait;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tenants whose blobs are in one bucket of a real S3 server. */
@Timeout(180)
class S3TenantsIT {
    private static final TestContent OBJECT = TestContent.of(7, 30_000, Segment.FUNC, true);

    @RegisterExtension
    static final OnS3 SERVER = new OnS3();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    @Test
    void eachTenantHasAFolderThatNoOtherReadsAndThatGoesAlone() throws Exception {
        try (TestService service = TestService.start(data);
                TestBucket bucket = new TestBucket(SERVER, data)) {
            RegisteredImage image = service.images().push("registry.test/function:1", "base", "code");
            service.refactoring().content(image, List.of(OBJECT));
            List<String> before = bucket.keys("");
            for (String tenant : List.of("one", "two")) {
                service.client().tenants().create(new TenantRequest(tenant, null));
            }
            plan(service, "one", image);
            List<String> one = bucket.keys("tenants/one/");
            assertThat(one).anyMatch(key -> key.contains("/packs/")).anyMatch(key -> key.contains("/plans/"));
            assertThat(bucket.keys("tenants/two/")).noneMatch(key -> key.contains("/packs/"));
            Blob pack = pack(one);
            BlobStore store = service.part(BlobStore.class);
            for (String other : List.of("two", "default")) {
                in(other, () -> {
                    assertThatThrownBy(() -> store.read(pack)).isInstanceOf(NoSuchFileException.class);
                    store.delete(pack);
                    return true;
                });
            }
            assertThat(bucket.keys("tenants/one/")).isEqualTo(one);

            plan(service, "two", image);
            assertThat(names(bucket.keys("tenants/two/"))).isEqualTo(names(one));
            deleteFunction(service, "one");
            service.client().tenants().delete("one");
            assertThat(bucket.keys("tenants/one/")).isEmpty();
            assertThat(names(bucket.keys("tenants/two/"))).isEqualTo(names(one));
            assertThat(bucket.keys("")).containsAll(before);
            assertThat(in("two", () -> store.size(pack))).isPositive();
            try (ServiceClient client = client(service, "two")) {
                assertThat(client.function("function").state()).isEqualTo(ImageState.PLANNED);
            }
        }
    }

    private static Blob pack(List<String> keys) {
        return keys.stream()
                .filter(key -> key.contains("/packs/"))
                .map(key -> Blob.parse(key.substring(key.indexOf("packs/"))))
                .findFirst()
                .orElseThrow();
    }

    /** Without the tenant's folder, and without what is the tenant's own. */
    private static List<String> names(List<String> keys) {
        return keys.stream()
                .map(key -> key.replaceFirst(".*tenants/[^/]+/", ""))
                .toList();
    }

    private static <T> T in(String tenant, ScopedValue.CallableOp<T, Exception> work) throws Exception {
        return TenantScope.call(new TenantName(tenant), work);
    }

    private static ServiceClient client(TestService service, String tenant) {
        return ServiceClient.actingFor(tenant, ServiceConfig.of(service.base(), Optional.of(TestService.TOKEN)));
    }

    private static void deleteFunction(TestService service, String tenant) throws Exception {
        try (ServiceClient client = client(service, tenant)) {
            client.deleteFunction("function", false);
        }
    }

    private static void plan(TestService service, String tenant, RegisteredImage image) throws Exception {
        try (ServiceClient client = client(service, tenant)) {
            client.register(new FunctionRequest("function", image.reference(), null, null));
            client.postTrace(TestService.trace(image.topChain(), 3));
            Wait.until("the plan", () -> {
                ImageState state = client.function("function").state();
                assertThat(state).isNotEqualTo(ImageState.FAILED);
                return state == ImageState.PLANNED;
            });
        }
    }
}
