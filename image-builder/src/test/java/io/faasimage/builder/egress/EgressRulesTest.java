package io.faasimage.builder.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Host;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EgressRulesTest {
    private final EgressRules none = EgressRules.parse(List.of());
    private final EgressRules any = EgressRules.parse(List.of("any"));

    @Test
    void onlyListedHostsAreReached() throws Exception {
        EgressRules rules = EgressRules.parse(List.of("127.0.0.1:3141", "*.example.org"));
        assertThat(rules.resolve(Host.parse("127.0.0.1:3141"))).hasSize(1);
        assertThat(rules.resolve(Host.parse("127.0.0.1:3142"))).isEmpty();
        assertThat(none.resolve(Host.parse("192.0.2.1:443"))).isEmpty();
        assertThat(rules.allowsByName(Host.parse("index.example.org:443"))).isTrue();
        assertThat(rules.allowsByName(Host.parse("example.org.evil.net:443"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "0.0.0.0",
                "169.254.169.254",
                "10.0.0.1",
                "192.168.1.1",
                "172.16.0.1",
                "100.64.0.1",
                "224.0.0.1",
                "[::1]",
                "[fe80::1]",
                "[fd00::1]",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::a9fe:a9fe]"
            })
    void anyMeansTheInternet(String address) throws Exception {
        assertThat(any.resolve(Host.parse(address + ":80"))).isEmpty();
        assertThat(any.allowsByName(Host.parse(address + ":80"))).isFalse();
    }

    @Test
    void anAddressOfTheInternetIsReachedWithAny() throws Exception {
        assertThat(any.resolve(Host.parse("192.0.2.1:443"))).hasSize(1);
        assertThat(any.allowsByName(Host.parse("example.org:443"))).isTrue();
    }

    @Test
    void registriesOfTheRuntimeAndMirrorsOfTheOperatorAreAdded() {
        EgressRules rules = EgressRules.parse(List.of("any", "git.example.org"))
                .with(
                        List.of("pypi.org"),
                        Map.of(
                                "PIP_INDEX_URL", "https://user:secret@mirror.example.org:8443/simple",
                                "PIP_EXTRA_INDEX_URL", "http://a.example.org/ http://b.example.org/",
                                "CFLAGS", "-O2"));
        assertThat(rules.listed().entries())
                .containsExactlyInAnyOrder(
                        "git.example.org", "pypi.org", "mirror.example.org", "a.example.org", "b.example.org");
        assertThat(rules.isPublicAllowed()).isTrue();
    }
}
