package io.faasimage.registry.sbom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.cyclonedx.Version;
import org.cyclonedx.exception.ParseException;
import org.cyclonedx.parsers.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The bill of materials of an image that the service has refactored, by CycloneDX's own schema. */
class SbomHttpTest {
    private static final String SITE = "usr/local/lib/python3.12/site-packages/";

    @TempDir
    Path directory;

    @Test
    void theDocumentSaysWhatStartsReadOfEachPackage() throws Exception {
        LayoutImage image = LayoutImage.write(directory.resolve("image"), files());
        try (TestService service = TestService.startWithEngine(directory.resolve("data"))) {
            ServiceClient client = service.client();
            FunctionInfo function =
                    client.register(new FunctionRequest("hello", "oci:" + image.directory(), null, null));
            Digest manifest = Digest.parse(function.digest());
            assertThatThrownBy(() -> client.sbom(manifest))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("has no plan");
            JobInfo job = service.awaitEnd(client.postTrace(trace(image)).id());
            assertThat(job.state()).as("%s", job).isEqualTo(JobInfo.State.DONE);
            byte[] document = client.sbom(manifest);
            String text = new String(document, StandardCharsets.UTF_8);
            assertThat(faults(text)).isEmpty();
            assertThat(faults(text.replace("\"library\"", "\"book\""))).isNotEmpty();
            JsonNode parsed = Json.mapper().readTree(document);
            assertThat(property(parsed.path("metadata"), "traced_starts")).isEqualTo("3");
            assertThat(StreamSupport.stream(parsed.path("components").spliterator(), false)
                            .map(each -> each.path("purl").asString() + " " + property(each, "loaded_at_start") + " "
                                    + property(each, "starts_that_read_it") + " "
                                    + property(each, "bytes_read_at_start") + " " + property(each, "bytes")))
                    .containsExactly(
                            "pkg:deb/debian/libc6@2.36?arch=amd64&distro=debian-12 true 3 100 400",
                            "pkg:deb/debian/perl-base@5.36?arch=amd64&distro=debian-12 false 0 0 300",
                            "pkg:pypi/flask@3.0.0 true 2 200 " + (200 + METADATA.length() + RECORD.length()));
            JsonNode libc = parsed.path("components").path(0);
            assertThat(libc.path("evidence")
                            .path("occurrences")
                            .path(0)
                            .path("location")
                            .asString())
                    .isEqualTo("/lib/libc.so.6");
        }
    }

    private static final String METADATA = "Name: Flask\nVersion: 3.0.0\n";
    private static final String RECORD = "flask/app.py,,\n";

    private static Map<String, byte[]> files() {
        Map<String, byte[]> files = new TreeMap<>();
        files.put("etc/os-release", text("ID=debian\nVERSION_ID=\"12\"\n"));
        files.put("var/lib/dpkg/status", text("""
                Package: libc6
                Status: install ok installed
                Architecture: amd64
                Version: 2.36

                Package: perl-base
                Status: install ok installed
                Architecture: amd64
                Version: 5.36
                """));
        files.put("var/lib/dpkg/info/libc6:amd64.list", text("/lib/libc.so.6\n"));
        files.put("var/lib/dpkg/info/perl-base.list", text("/usr/bin/perl\n"));
        files.put("lib/libc.so.6", text("c".repeat(400)));
        files.put("usr/bin/perl", text("p".repeat(300)));
        files.put(SITE + "flask-3.0.0.dist-info/METADATA", text(METADATA));
        files.put(SITE + "flask-3.0.0.dist-info/RECORD", text(RECORD));
        files.put(SITE + "flask/app.py", text("f".repeat(200)));
        return files;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] trace(LayoutImage image) {
        List<TraceEntry> entries = List.of(
                new TraceEntry(new FilePath("lib/libc.so.6"), 3, 0, 0, 3, List.of(new ByteRange(0, 100))),
                TraceEntry.whole(new FilePath(SITE + "flask/app.py"), 2, 2, 10));
        return TraceCodec.encode(new Trace(image.chain(), 3, entries));
    }

    private static String property(JsonNode component, String name) {
        return StreamSupport.stream(component.path("properties").spliterator(), false)
                .filter(each -> each.path("name").asString().equals("faasimage:" + name))
                .map(each -> each.path("value").asString())
                .findFirst()
                .orElseThrow();
    }

    private static List<ParseException> faults(String document) throws IOException {
        return new JsonParser().validate(document, Version.VERSION_16);
    }
}
