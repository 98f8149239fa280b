package io.faasimage.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.layer.LayerFile;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.builder.secret.Credentials;
import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with passwords, in the directory of a function. */
class CredentialsTest {
    private static final String USUAL = ".npmrc .yarnrc.yml auth.json pip.conf .pypirc .bundle/config .gem/credentials"
            + " .netrc .git-credentials .docker/config.json deeper/.npmrc .env deeper/.env.production";

    @TempDir
    private Path work;

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "node", "php", "ruby"})
    void theInstallationSeesThemAndNoLayerHasThem(String language) throws IOException {
        FunctionRuntime runtime = RuntimeCatalogue.load(Optional.empty()).runtime(language);
        assertThat(runtime.credentials()).isNotEmpty();
        assertThat(runtime.installed()).containsAll(runtime.credentials());
        assertThat(runtime.dependencies()).doesNotContainAnyElementsOf(runtime.credentials());
        List<String> secrets = new ArrayList<>(List.of(USUAL.split(" ")));
        secrets.addAll(runtime.credentials());
        Path source = work.resolve("source");
        for (String secret : secrets) {
            write(source.resolve(secret));
        }
        write(source.resolve(runtime.handler()));
        write(source.resolve("config"));
        write(source.resolve("my-auth.json"));
        write(source.resolve(".env.example"));

        assertThat(names(source, runtime))
                .contains("/home/app/function/" + runtime.handler())
                .contains(
                        "/home/app/function/config",
                        "/home/app/function/my-auth.json",
                        "/home/app/function/.env.example")
                .doesNotContainAnyElementsOf(secrets.stream()
                        .map(secret -> "/home/app/function/" + secret)
                        .toList());
        assertThat(Credentials.in(source, runtime).stream().map(Path::toString)).containsAll(secrets);
    }

    @Test
    void aLanguageOfTheOperatorsMayNameMore() throws IOException {
        Files.writeString(work.resolve("node.yaml"), "name: node\ncredentials: [token.txt]\n");
        FunctionRuntime runtime = RuntimeCatalogue.load(Optional.of(work)).runtime("node");
        Path source = work.resolve("source");
        write(source.resolve("token.txt"));
        write(source.resolve(".npmrc"));
        write(source.resolve("handler.js"));
        assertThat(names(source, runtime)).noneMatch(name -> name.endsWith("token.txt") || name.endsWith(".npmrc"));
    }

    @Test
    void installedLibrariesWithASecretAreRefused() throws IOException {
        Path libraries = work.resolve("libraries");
        Path list = libraries.resolve("a/.package-lock.json");
        Files.createDirectories(list.getParent());
        Files.writeString(list, "{\"resolved\": \"https://127.0.0.1/a.tgz\"}");
        BuildSecrets secrets = BuildSecrets.of(Map.of("pip.conf", """
                [global]
                index-url = https://reader:hunter2hunter2@127.0.0.1/simple
                """.getBytes(StandardCharsets.UTF_8)));
        FunctionLibraries.checkSecrets(libraries, secrets);
        Files.writeString(list, "x".repeat(8190) + "https://reader:hunter2hunter2@127.0.0.1/a.tgz");
        assertThatThrownBy(() -> FunctionLibraries.checkSecrets(libraries, secrets))
                .isInstanceOf(BuildException.class)
                .hasMessageContaining("a secret into a/.package-lock.json")
                .hasMessageNotContaining("hunter2");
    }

    /** The names of all layers. */
    private List<String> names(Path source, FunctionRuntime runtime) throws IOException {
        Path target = Files.createDirectory(work.resolve("target"));
        BuildRequest request = new BuildRequest(
                "f",
                runtime,
                ImageReference.parse("127.0.0.1:5000/f:latest"),
                Optional.empty(),
                new java.util.TreeMap<>(Map.of()),
                KeptLibraries.USED,
                BuildSecrets.NONE);
        List<String> names = new ArrayList<>();
        for (LayerFile layer : FunctionLayers.write(target, source, Optional.empty(), request, Optional.empty())
                .files()) {
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(layer.blob())))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    names.add("/" + entry.getName());
                }
            }
        }
        return names;
    }
}
