package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilePathTest {
    @ParameterizedTest
    @CsvSource({
        "python, numpy, 1.26.4, usr/local/lib/python3.12/site-packages/numpy/core/_multi.cpython-312-x86_64-linux-gnu.so,"
                + " numpy/core/_multi.cpython-#-x86_64-linux-gnu.so",
        "python, numpy, 2.0.0, usr/lib/python3.11/dist-packages/numpy/__pycache__/a.cpython-311.pyc,"
                + " numpy/__pycache__/a.cpython-#.pyc",
        "python, numpy, 1.26.4, usr/local/lib/python3.12/site-packages/numpy-1.26.4.dist-info/METADATA,"
                + " numpy-#.dist-info/METADATA",
        "python, numpy, 1.26.4, site-packages/numpy.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so,"
                + " numpy.libs/libopenblas64_p-r0-#.3.23.dev.so",
        "node, @scope/a, 1.2.3, home/app/node_modules/@scope/a/lib/index.js, lib/index.js",
        "ruby, rack, 3.0.1, usr/local/bundle/gems/rack-3.0.1/lib/rack.rb, lib/rack.rb",
        "php, slim/slim, 4.1, app/vendor/slim/slim/Slim/App.php, Slim/App.php",
        "runtime, python, 3.12, usr/local/lib/python3.12/os.py, usr/local/lib/python#/os.py",
        "runtime, ruby, 3.3, usr/local/lib/ruby/3.3.0/set.rb, usr/local/lib/ruby/#.0/set.rb",
        "runtime, node, any, usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30, usr/lib/x86_64-linux-gnu/libstdc++.so.#"
    })
    void versionsAndPlacesAreLeftOut(String ecosystem, String name, String version, String path, String expected) {
        assertThat(ProfilePath.of(new Library(ecosystem, name, version), FilePath.ofText(path)))
                .isEqualTo(expected);
    }
}
