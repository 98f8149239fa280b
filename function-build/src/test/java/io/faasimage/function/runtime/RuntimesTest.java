package io.faasimage.function.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The built-in runtimes, and files of users. */
class RuntimesTest {
    @TempDir
    private Path directory;

    private FunctionRuntime of(String file, String yaml) throws IOException {
        return Runtimes.of(Files.writeString(directory.resolve(file), yaml).toString());
    }

    @ParameterizedTest
    @CsvSource({"python,handler.py", "node,handler.js", "php,handler.php", "ruby,handler.rb"})
    void theBuiltInOnesHaveATemplateWithTheirHandler(String name, String handler) throws IOException {
        FunctionRuntime runtime = Runtimes.of(name);
        assertThat(runtime.handler()).isEqualTo(handler);
        assertThat(runtime.template("hello")).containsKey(handler);
        assertThat(runtime.files().values().toString()).contains("/_/health", "/_/ready");
        assertThat(Runtimes.of(runtime.name())).isEqualTo(runtime);
    }

    @Test
    void aFileChangesWhatItSaysAndInheritsTheRest() throws IOException {
        FunctionRuntime runtime = of("mine.yaml", """
                name: python
                default: "3.11"
                versions: {"3.11": {image: "127.0.0.1:5000/python:3", installImage: "127.0.0.1:5000/python:3-pip"}}
                """);
        assertThat(runtime.name()).isEqualTo("python3.11");
        assertThat(runtime.image()).isEqualTo("127.0.0.1:5000/python:3");
        assertThat(runtime.installImage()).isEqualTo("127.0.0.1:5000/python:3-pip");
        assertThat(runtime.install()).contains("pip install");
    }

    @Test
    void aFifthLanguageIsAFile() throws IOException {
        FunctionRuntime lua = of("lua.yaml", """
                name: lua
                default: "5.4"
                versions: {"5.4": {image: "example.org/lua:5.4"}}
                handler: handler.lua
                libraries: /opt/libraries
                install: "true"
                command: [lua, /home/app/server.lua]
                template: {handler.lua: "-- {{name}}"}
                """);
        assertThat(lua.command()).containsExactly("lua", "/home/app/server.lua");
        assertThat(lua.template("hello")).containsEntry("handler.lua", "-- hello");
    }

    @Test
    void anUnknownOneNamesThoseThatThereAre() {
        for (String name : new String[] {"cobol", "python2.7", "", "../python", "python3.12\n"}) {
            assertThatThrownBy(() -> Runtimes.of(name))
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
                "name: python\ntemplate: {../x: x}",
                "name: python\ndefault: '9'",
                "name: python\nspelling: wrong",
                "name: python\ncommand: []",
                "name: lua",
                "- just a list",
                "{",
                "!!javax.script.ScriptEngineManager []"
            })
    void aFileThatIsNoRuntimeIsNamed(String yaml) {
        assertThatThrownBy(() -> of("broken.yaml", yaml))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("broken.yaml is not valid: ");
    }
}
