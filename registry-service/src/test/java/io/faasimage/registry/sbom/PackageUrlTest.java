package io.faasimage.registry.sbom;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.refactor.classify.Distribution;
import io.faasimage.refactor.classify.PackageId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PackageUrlTest {
    private static String url(String ecosystem, String name, String version, String architecture) {
        return PackageUrl.of(
                new PackageId(ecosystem, name, version, architecture), Optional.of(new Distribution("debian", "12")));
    }

    @Test
    void librariesHaveTheTypeOfTheirPackageIndex() {
        assertThat(url("python", "Flask_SQLAlchemy", "3.1.1", "")).isEqualTo("pkg:pypi/flask-sqlalchemy@3.1.1");
        assertThat(url("node", "@acme/x", "1.0.0", "")).isEqualTo("pkg:npm/%40acme/x@1.0.0");
        assertThat(url("node", "uuid", "9.0.1", "")).isEqualTo("pkg:npm/uuid@9.0.1");
        assertThat(url("php", "Acme/Greeting", "1.2.3", "")).isEqualTo("pkg:composer/acme/greeting@1.2.3");
        assertThat(url("ruby", "rack", "3.0", "")).isEqualTo("pkg:gem/rack@3.0");
        assertThat(url(PackageId.RUNTIME, "node", "", "")).isEqualTo("pkg:generic/node");
    }

    @Test
    void systemPackagesNameDistributionAndArchitecture() {
        assertThat(url("deb", "libstdc++6", "1:12.2.0-14", "amd64"))
                .isEqualTo("pkg:deb/debian/libstdc%2B%2B6@1:12.2.0-14?arch=amd64&distro=debian-12");
        assertThat(PackageUrl.of(new PackageId("apk", "busybox", "1.36.1-r29", ""), Optional.empty()))
                .isEqualTo("pkg:apk/alpine/busybox@1.36.1-r29");
    }

    @Test
    void anImageIsNamedByItsDigest() {
        assertThat(PackageUrl.ofImage("127.0.0.1:5000/functions/hello", "sha256:12"))
                .isEqualTo("pkg:oci/hello@sha256:12?repository_url=127.0.0.1:5000%2Ffunctions%2Fhello");
    }
}
