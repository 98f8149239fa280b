package io.faasimage.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import io.faasimage.format.id.Digest;
import io.faasimage.function.runtime.Runtimes;
import io.faasimage.testing.RegistryServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds without libraries, on an empty base; FunctionBuildIT has the others. */
class FunctionBuildTest {
    @TempDir
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static RegistryServer registry;

    private final List<String> said = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        registry = RegistryServer.start(temp.resolve("oci"));
        Jib.fromScratch()
                .addEnvironmentVariable("OF_BASE", "1")
                .setEntrypoint("/entry")
                .containerize(
                        Containerizer.to(TarImage.at(temp.resolve("base.tar")).named("base"))
                                .setBaseImageLayersCache(temp.resolve("jib"))
                                .setApplicationLayersCache(temp.resolve("jib")));
        Files.writeString(temp.resolve("python.yaml"), """
                name: python
                default: "3"
                versions: {"3": {image: "tar://%s"}}
                """.formatted(temp.resolve("base.tar")));
    }

    @AfterAll
    static void stop() throws IOException {
        registry.close();
    }

    private static Path code(String name, long time) throws IOException {
        Path code = Files.createDirectories(temp.resolve(name));
        for (Map.Entry<String, String> file : Map.of(
                        "handler.py", "def handle(event, context): return 1\n",
                        "data/a.txt", "a",
                        "tool.sh", "#!/bin/sh\n",
                        ".env", "PASSWORD=correct-horse-battery\n",
                        "requirements.txt", Runtimes.of("python").template("x").get("requirements.txt"))
                .entrySet()) {
            Path path = code.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            Files.setLastModifiedTime(path, FileTime.fromMillis(time));
        }
        assertThat(code.resolve("tool.sh").toFile().setExecutable(true)).isTrue();
        return code;
    }

    private Digest build(Path code, String image, String cache) throws IOException {
        return new FunctionBuild(temp.resolve(cache), said::add)
                .build(new FunctionBuild.Request(
                        "hello",
                        code,
                        Runtimes.of(temp.resolve("python.yaml").toString()),
                        registry.host() + "/" + image,
                        new TreeMap<>(Map.of("GREETING", "good day")),
                        new Installation(Optional.empty(), new TreeMap<>(), List.of(), false)));
    }

    @Test
    void theSameInputGivesTheSameDigestAndAnotherInputAnother() throws IOException {
        Digest first = build(code("one", 1_000_000), "first:1", "cache");
        assertThat(build(code("two", 2_000_000_000), "second:1", "other-cache")).isEqualTo(first);
        assertThat(said).anyMatch(line -> line.startsWith("left out of the image, as it may have passwords: .env"));
        Path changed = code("one", 1_000_000);
        Files.writeString(changed.resolve("data/a.txt"), "b");
        Files.setLastModifiedTime(changed.resolve("data/a.txt"), FileTime.fromMillis(1_000_000));
        assertThat(build(changed, "first:1", "cache"))
                .as("although the file has the size and time of the first")
                .isNotEqualTo(first);
    }

    @Test
    void theImageIsTheCodeAndItsServer() throws IOException {
        build(code("shown", 0), "shown:1", "cache");
        Map<String, Integer> modes = new TreeMap<>();
        StringBuilder documents = new StringBuilder();
        for (Path blob : blobs()) {
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(blob)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    assertThat(List.of(entry.getLongUserId(), entry.getLongGroupId()))
                            .containsOnly(0L);
                    modes.put(entry.getName(), entry.getMode() & 0777);
                    assertThat(new String(tar.readAllBytes(), StandardCharsets.UTF_8))
                            .doesNotContain("correct-horse");
                }
            } catch (ZipException e) {
                documents.append(Files.readString(blob));
            }
        }
        assertThat(modes)
                .containsEntry("home/app/server.py", 0644)
                .containsEntry("home/app/function/handler.py", 0644)
                .containsEntry("home/app/function/tool.sh", 0755)
                .containsEntry("home/app/function/data/", 0755)
                .doesNotContainKey("home/app/function/.env");
        assertThat(documents.toString())
                .contains("\"OF_BASE=1\"", "\"GREETING=good day\"", "\"PORT=8080\"", "\"User\":\"1000:1000\"")
                .contains("\"Cmd\":[\"python3\",\"/home/app/server.py\"]")
                .doesNotContain("/entry\"", "correct-horse");
    }

    private static List<Path> blobs() throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve("oci"))) {
            return files.filter(file -> file.endsWith("data") && Files.isRegularFile(file))
                    .toList();
        }
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Path empty = Files.createDirectories(temp.resolve("empty"));
        assertThatThrownBy(() -> build(empty, "empty:1", "cache"))
                .hasMessageContaining("the function has no file 'handler.py'");
        assertThatThrownBy(() -> build(code("upper", 0), "Not An Image", "cache"))
                .hasMessageContaining("no reference that an image can be pushed to");
    }
}
