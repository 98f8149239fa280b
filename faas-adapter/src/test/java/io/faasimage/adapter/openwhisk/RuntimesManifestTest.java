package io.faasimage.adapter.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.faasimage.adapter.openwhisk.ImageChange.Register;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** OpenWhisk's runtimes manifest. */
final class RuntimesManifestTest {
    private static final String MANIFEST = """
            {"runtimes":{
              "python":[{"kind":"python:3.11","default":true,
                "image":{"prefix":"openwhisk","name":"action-python-v3.11","tag":"nightly"},
                "deprecated":false,"attached":{"attachmentName":"codefile","attachmentType":"text/plain"},
                "stemCells":[{"initialCount":2,"memory":"256 MB"}]},
                {"kind":"python:2","image":{"prefix":"openwhisk","name":"python2action"},"deprecated":true}],
              "nodejs":[{"kind":"nodejs:20","image":"registry.example/nodejs20"}]},
             "blackboxes":[{"prefix":"openwhisk","name":"dockerskeleton","tag":"nightly"}]}""";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void eachKindThatIsNotDeprecatedAndEachBlackboxHasItsImage() throws IOException {
        assertThat(RuntimesManifest.read(bytes(MANIFEST), ""))
                .extracting(Register::image)
                .containsExactlyInAnyOrder(
                        "openwhisk/action-python-v3.11:nightly",
                        "registry.example/nodejs20",
                        "openwhisk/dockerskeleton:nightly");
        assertThat(RuntimesManifest.read(bytes(MANIFEST), ""))
                .extracting(Register::function)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("openwhisk-runtime-[a-z0-9-]+-[0-9a-f]{16}"));
    }

    @Test
    void theInvokersRegistryIsPutInFront() throws IOException {
        assertThat(RuntimesManifest.read(bytes(MANIFEST), "r.example:5000/"))
                .extracting(Register::image)
                .contains("r.example:5000/openwhisk/action-python-v3.11:nightly");
    }

    @Test
    void whatIsNoManifestIsRefused() {
        assertThatIOException()
                .isThrownBy(() -> RuntimesManifest.read(bytes("{"), ""))
                .withMessageContaining("not JSON");
        assertThatIOException()
                .isThrownBy(() -> RuntimesManifest.read(bytes("{\"runtime\":{}}"), ""))
                .withMessageContaining("runtimes.json");
    }
}
