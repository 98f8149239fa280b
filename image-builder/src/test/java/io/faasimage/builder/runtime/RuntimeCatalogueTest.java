package io.faasimage.builder.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The built-in runtimes, and files that change them. */
class RuntimeCatalogueTest {
    @TempDir
    private Path directory;

    private RuntimeCatalogue with(String file, String yaml) throws IOException {
        Files.writeString(directory.resolve(file), yaml);
        return RuntimeCatalogue.load(Optional.of(directory));
    }

    @ParameterizedTest
    @CsvSource({"python,handler.py", "node,handler.js", "php,handler.php", "ruby,handler.rb"})
    void theBuiltInOnesHaveATemplateWithTheirHandler(String name, String handler) throws IOException {
        RuntimeCatalogue catalogue = RuntimeCatalogue.load(Optional.empty());
        FunctionRuntime runtime = catalogue.runtime(name);
        assertThat(runtime.handler()).isEqualTo(handler);
        assertThat(catalogue.language(name).template()).containsKey(handler);
        assertThat(runtime.files().values().toString()).contains("/_/health", "/_/ready");
        assertThat(catalogue.runtime(runtime.name())).isEqualTo(runtime);
    }

    @Test
    void aFileChangesWhatItSaysAndInheritsTheRest() throws IOException {
        RuntimeCatalogue catalogue = with("mine.yaml", """
                name: python
                default: "3.11"
                versions: {"3.11": {image: "127.0.0.1:5000/python:3", installImage: "127.0.0.1:5000/python:3-pip"}}
                """);
        FunctionRuntime runtime = catalogue.runtime("python");
        assertThat(runtime.name()).isEqualTo("python3.11");
        assertThat(runtime.image()).hasToString("127.0.0.1:5000/python:3");
        assertThat(runtime.installImage()).hasToString("127.0.0.1:5000/python:3-pip");
        assertThat(runtime.install()).contains("pip install");
        assertThat(catalogue.runtime("python3.12").image()).hasToString("docker.io/library/python:3.12-slim");
    }

    @Test
    void aFifthLanguageIsAFile() throws IOException {
        RuntimeCatalogue catalogue = with("lua.yaml", """
                name: lua
                default: "5.4"
                versions: {"5.4": {image: "example.org/lua:5.4"}}
                handler: handler.lua
                libraries: /opt/libraries
                install: "true"
                command: [lua, /home/app/server.lua]
                """);
        assertThat(catalogue.runtime("lua5.4").command()).containsExactly("lua", "/home/app/server.lua");
        assertThat(catalogue.languages()).hasSize(5);
    }

    @Test
    void anUnknownOneNamesThoseThatThereAre() throws IOException {
        RuntimeCatalogue catalogue = RuntimeCatalogue.load(Optional.empty());
        for (String name : new String[] {"cobol", "python2.7", "", "../python", "python3.12\n"}) {
            assertThatThrownBy(() -> catalogue.runtime(name))
                    .hasMessageContaining("unknown runtime '")
                    .hasMessageContaining("python3.12, ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: python\nhandler: ../x",
                "name: python\nlibraries: /home/app/function/lib",
                "name: python\nfiles: {relative: x}",
                "name: python\ndefault: '9'",
                "name: python\nversions: {'3': {image: 'not an image'}}",
                "name: python\nspelling: wrong",
                "name: python\ncommand: [sh, -c, 'exec python3 x']",
                "name: python\ncommand: []",
                "name: lua",
                "- just a list",
                "{",
                "!!javax.script.ScriptEngineManager []"
            })
    void aFileThatIsNoRuntimeIsNamed(String yaml) {
        assertThatThrownBy(() -> with("broken.yaml", yaml))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("broken.yaml is not valid: ");
    }
}
