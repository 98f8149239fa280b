package io.faasimage.registry.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.config.ImageRegistrySettings;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Functions on a base image of two layers that is public, and on one that is not. */
class PublicLayersTest extends ServiceTest {
    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data, "--faasimage.public-images=registry.test/base/*");
        for (String tenant : List.of("one", "two")) {
            service.client().tenants().create(new TenantRequest(tenant, null));
        }
    }

    private static RegisteredImage register(String tenant, String reference, String... layers) throws IOException {
        RegisteredImage image = service.images().push(reference, layers);
        try (ServiceClient client =
                ServiceClient.actingFor(tenant, ServiceConfig.of(service.base(), Optional.of(TestService.TOKEN)))) {
            client.register(new FunctionRequest(reference.replaceAll("[^a-z0-9]", "-"), image.reference(), null, null));
        }
        return image;
    }

    private static int count(String tenant, RegisteredImage image) {
        return TenantScope.call(
                new TenantName(tenant), () -> service.part(PublicLayers.class).count(image.digest()));
    }

    @Test
    void layersArePublicThatOperatorsOrTheTenantItselfRegisteredAsPublic() throws Exception {
        RegisteredImage function = register("two", "registry.test/two/function:1", "os", "runtime", "code");
        assertThat(count("two", function)).isZero();
        RegisteredImage base = register("one", "registry.test/base/runtime:1", "os", "runtime");
        assertThat(count("one", base)).isEqualTo(2);
        assertThat(count("two", function)).as("what another tenant registered").isZero();
        RegisteredImage own = register("one", "registry.test/one/function:1", "os", "runtime", "own code");
        assertThat(count("one", own)).isEqualTo(2);

        register("default", "registry.test/basement:1", "os", "runtime", "code");
        assertThat(count("two", function)).isZero();
        register("default", "registry.test/base/os:1", "os");
        assertThat(count("two", function)).isEqualTo(1);
    }

    @Test
    void patternsAreRepositoriesAndFoldersOfThem() {
        ImageRegistrySettings settings = settings("docker.io/library/*", "registry.test/base/python");
        assertThat(settings.isPublic(ImageReference.parse("python:3"))).isTrue();
        assertThat(settings.isPublic(ImageReference.parse("registry.test/base/python@sha256:" + "0".repeat(64))))
                .isTrue();
        assertThat(settings.isPublic(ImageReference.parse("somebody/python:3"))).isFalse();
        assertThat(settings.isPublic(ImageReference.parse("registry.test/base/python-private:3")))
                .isFalse();
        assertThatThrownBy(() -> settings("*")).hasMessageContaining("faasimage.public-images");
    }

    private static ImageRegistrySettings settings(String... publicImages) {
        return new ImageRegistrySettings(List.of(), List.of(), List.of(), Set.of(), List.of(publicImages));
    }
}
