package io.faasimage.adapter.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings as operators write them. */
class SettingsTest {
    private static AdapterSettings bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("faasimage", Bindable.of(AdapterSettings.class));
    }

    @Test
    void withoutAnySettingTheDefaultsHold() {
        AdapterSettings settings = bind(Map.of());
        assertThat(settings.providerPort()).isEqualTo(8081);
        assertThat(settings.nodes()).isEmpty();
        assertThat(Credentials.of(settings).matches("Basic Og==")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faasimage.listen | 8083 | HOST:PORT",
                "faasimage.listen | a:b | HOST:PORT",
                "faasimage.listen | 127.0.0.1:70000 | HOST:PORT",
                "faasimage.provider | 127.0.0.1:8081 | 127.0.0.1:8081",
                "faasimage.provider | http://h:1/path | must not have a path",
                "faasimage.provider | https://h:1 | without TLS",
                "faasimage.registry | ftp://h | faasimage.registry is not an http",
                "faasimage.provider-user-file | /u | or neither",
                "faasimage.warm-interval | 0s | must be positive",
                "faasimage.registration.compare-interval | -1s | must be positive"
            })
    void aWrongSettingIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> bind(Map.of(name, value)))
                .rootCause()
                .message()
                .satisfies(m -> assertThat(m).contains(message));
    }

    @Test
    void credentialsAreThoseOfTheFilesAndNoOthers(@TempDir Path directory) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put(
                "faasimage.provider-user-file",
                Files.writeString(directory.resolve("u"), "admin\n").toString());
        settings.put("faasimage.provider-password-file", directory.resolve("p").toString());
        assertThatThrownBy(() -> Credentials.of(bind(settings)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("provider-password-file");
        Files.writeString(directory.resolve("p"), "secret");
        Credentials credentials = Credentials.of(bind(settings));
        assertThat(credentials.header()).contains("Basic YWRtaW46c2VjcmV0");
        assertThat(credentials.matches("Basic YWRtaW46c2VjcmV0")).isTrue();
        assertThat(credentials.matches("Basic YWRtaW46c2VjcmVU")).isFalse();
        assertThat(credentials.matches(null)).isFalse();
    }
}
