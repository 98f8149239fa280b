package io.faasimage.closure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Imports of Python. */
class PythonClosureTest {
    private static final String LIB = "/usr/lib/python3.11";

    private static MadeImage image() {
        return new MadeImage()
                .elf("/usr/bin/python3.11", MadeElf.program(""))
                .link("/usr/bin/python3", "python3.11")
                .file(LIB + "/os.py", "import abc\nimport stat\n")
                .file(LIB + "/encodings/__init__.py", "from . import aliases\n")
                .file(LIB + "/encodings/aliases.py", "aliases = {}\n")
                .file(LIB + "/encodings/utf_8.py", "import codecs\n")
                .file(LIB + "/json/__init__.py", "from .decoder import JSONDecoder\n")
                .file(LIB + "/json/decoder.py", "# decoder\nimport re\n")
                .file(LIB + "/re/__init__.py", "'''import json.tool'''\n")
                .file(LIB + "/json/tool.py", "import argparse\n");
    }

    @Test
    void importsAreFollowedFromTheProgram() throws Exception {
        MadeImage image = image().file("/app/index.py", "import json as j, own.part\n")
                .file("/app/own/__init__.py", "# own\n")
                .file("/app/own/part.py", "from ..x import y\n");
        assertThat(image.reads("python3", "index.py"))
                .containsExactly(
                        "/usr/bin/python3.11",
                        LIB + "/encodings/__init__.py",
                        LIB + "/encodings/aliases.py",
                        LIB + "/encodings/utf_8.py",
                        "/app/index.py",
                        LIB + "/json/__init__.py",
                        LIB + "/json/decoder.py",
                        LIB + "/re/__init__.py",
                        "/app/own/__init__.py",
                        "/app/own/part.py");
    }

    @Test
    void dataIsFoundAsItsNameLeadsThere() throws Exception {
        MadeImage image = image().file("/app/index.py", """
                names = ["./one.json", "nowhere/../two.json", "data//three.json", "link/four.json", "data/../five.json",
                         "../srv/six.json", "nowhere/seven.json"]
                """)
                .file("/app/one.json", "1")
                .file("/app/two.json", "2")
                .file("/app/data/three.json", "3")
                .file("/srv/four.json", "4")
                .file("/app/five.json", "5")
                .file("/srv/six.json", "6")
                .file("/app/seven.json", "7")
                .link("/app/link", "/srv");
        assertThat(image.reads("python3", "index.py"))
                .contains(
                        "/app/one.json",
                        "/app/two.json",
                        "/app/data/three.json",
                        "/srv/four.json",
                        "/app/five.json",
                        "/srv/six.json")
                .doesNotContain("/app/seven.json");
    }

    @Test
    void branchesAndFunctionsAreLessProbable() throws Exception {
        MadeImage image = image();
        for (String name : new String[] {"a", "b", "c", "d", "e", "f", "g", "h", "main_only"}) {
            image.file("/app/" + name + ".py", "# " + name + "\n");
        }
        image.file("/app/index.py", """
                import sys
                try:
                    import a
                except ImportError:
                    import b
                try:
                    import not_there
                except ImportError:
                    import c
                if TYPE_CHECKING: import d
                if sys.version_info >= (3, 8):
                    import e
                def later():
                    import f
                def now():
                    import g
                now()
                if __name__ == "__main__":
                    import main_only
                text = "\\
                import d"
                h = __import__("h")
                """);
        Map<String, Double> confidences = image.confidences("python3", "-u", "index.py");
        assertThat(confidences).doesNotContainKeys("/app/b.py", "/app/d.py");
        assertThat(confidences.get("/app/a.py")).isGreaterThan(0.9);
        assertThat(confidences.get("/app/c.py")).isGreaterThan(0.8);
        assertThat(confidences.get("/app/e.py")).isBetween(0.4, 0.9);
        assertThat(confidences.get("/app/f.py")).isBetween(0.3, 0.6);
        assertThat(confidences.get("/app/g.py")).isGreaterThan(0.8);
        assertThat(confidences.get("/app/h.py")).isEqualTo(1);
        assertThat(confidences.get("/app/main_only.py")).isEqualTo(1);
    }

    @Test
    void validByteCodeIsReadInsteadOfTheSource() throws Exception {
        String source = "import json\n";
        MadeImage image = image().file("/app/index.py", "import a, b, c\n")
                .file("/app/a.py", source)
                .file("/app/__pycache__/a.cpython-311.pyc", compiled(0, (int) MadeImage.TIME, source.length(), "a"))
                .file("/app/b.py", source)
                .file("/app/__pycache__/b.cpython-311.pyc", compiled(0, 17, source.length(), "b"))
                .file("/app/c.py", source)
                .file("/app/__pycache__/c.cpython-311.pyc", compiled(1, 17, 17, "c"))
                .file("/app/__pycache__/c.cpython-312.pyc", compiled(1, 17, 17, "d"));
        assertThat(image.reads("python3", "/app/index.py"))
                .contains(
                        "/app/__pycache__/a.cpython-311.pyc",
                        "/app/__pycache__/b.cpython-311.pyc",
                        "/app/b.py",
                        "/app/__pycache__/c.cpython-311.pyc",
                        LIB + "/json/__init__.py")
                .doesNotContain("/app/a.py", "/app/c.py", "/app/__pycache__/c.cpython-312.pyc");
    }

    private static byte[] compiled(int flags, int time, int size, String name) {
        return ByteBuffer.allocate(32)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x0a0d0da7)
                .putInt(flags)
                .putInt(time)
                .putInt(size)
                .put((byte) name.charAt(0))
                .array();
    }

    @Test
    void extensionsBringTheirLibrariesAndModules() throws Exception {
        String site = "/usr/local/lib/python3.11/dist-packages";
        MadeImage image = image().file("/app/index.py", "import fast\n")
                .file(site + "/fast/__init__.py", "from ._core import run\n")
                .elf(
                        site + "/fast/_core.cpython-311-x86_64-linux-gnu.so",
                        MadeElf.library("libblas-1a2b.so")
                                .withRpath("$ORIGIN/../fast.libs")
                                .withText("x\0fast.inner\0"))
                .file(site + "/fast/inner.py", "# inner\n")
                .file(site + "/fast/unused.py", "# unused\n")
                .elf(site + "/fast.libs/libblas-1a2b.so", MadeElf.library());
        assertThat(image.reads("python3", "index.py"))
                .contains(site + "/fast.libs/libblas-1a2b.so", site + "/fast/inner.py")
                .doesNotContain(site + "/fast/unused.py");
    }

    @Test
    void siteReadsPathFiles() throws Exception {
        String site = "/usr/lib/python3/dist-packages";
        MadeImage image = image().file("/app/index.py", "import extra\n")
                .file(site + "/a.pth", "/opt/extra\nimport os; __import__('hook')\n")
                .file(site + "/hook.py", "# hook\n")
                .file("/opt/extra/extra.py", "# extra\n");
        assertThat(image.reads("python3", "index.py"))
                .contains(site + "/a.pth", site + "/hook.py", "/opt/extra/extra.py");
    }

    @Test
    void virtualEnvironmentsHaveTheirOwnLibraries() throws Exception {
        MadeImage image = image().link("/venv/bin/python", "/usr/bin/python3")
                .file("/venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n")
                .file("/venv/lib/python3.11/site-packages/web/__init__.py", "# web\n")
                .file("/usr/lib/python3/dist-packages/web.py", "# other\n")
                .file("/venv/bin/serve", "#!/venv/bin/python\nimport sys\nfrom web import run\n")
                .file("/app/main.py", "import json\n");
        assertThat(image.with("PATH", "/venv/bin:/usr/bin").reads("serve", "main:app"))
                .contains(
                        "/venv/pyvenv.cfg",
                        "/venv/bin/serve",
                        "/venv/lib/python3.11/site-packages/web/__init__.py",
                        "/app/main.py",
                        LIB + "/json/__init__.py")
                .doesNotContain("/usr/lib/python3/dist-packages/web.py");
    }

    @Test
    void modulesAreRunByName() throws Exception {
        MadeImage image = image().file("/app/tool/__init__.py", "# tool\n")
                .file("/app/tool/__main__.py", "from . import parts\n")
                .file("/app/tool/parts.py", "# parts\n");
        assertThat(image.reads("python3", "-m", "tool")).contains("/app/tool/__main__.py", "/app/tool/parts.py");
        assertThat(image.reads("python3", "-c", "import tool.parts")).contains("/app/tool/parts.py");
    }

    @Test
    void filesAndProgramsThatTheCodeNamesAreDataAndPrograms() throws Exception {
        MadeImage image = image().file("/app/index.py", """
                        import os, subprocess, sys
                        sys.path.insert(0, "/opt/own")
                        import mine
                        MODEL = os.path.join(os.path.dirname(__file__), "model.bin")
                        subprocess.run(["convert", "-x"])
                        """)
                .file("/app/model.bin", "weights")
                .file("/opt/own/mine.py", "# mine\n")
                .elf("/usr/bin/convert", MadeElf.program(""));
        assertThat(image.reads("python3", "index.py"))
                .contains("/app/model.bin", "/opt/own/mine.py", "/usr/bin/convert");
    }

    @Test
    void functionsThatTheCodeCallsImport() throws Exception {
        String site = "/usr/lib/python3/dist-packages";
        MadeImage image = image().file("/app/index.py", "from pictures import Image\nImage.load(1)\n")
                .file(site + "/pictures/__init__.py", "# pictures\n")
                .file(site + "/pictures/Image.py", """
                        def prepare():
                            from . import codec
                        def load(x):
                            prepare()
                        def save(x):
                            from . import unused
                        """)
                .file(site + "/pictures/codec.py", "# codec\n")
                .file(site + "/pictures/unused.py", "# unused\n");
        assertThat(image.reads("python3", "index.py"))
                .contains(site + "/pictures/codec.py")
                .doesNotContain(site + "/pictures/unused.py");
    }

    @Test
    void packagesMayImportTheirModulesWhenTheyAreUsed() throws Exception {
        String site = "/usr/lib/python3/dist-packages";
        MadeImage image = image().file("/app/index.py", "import lazy as z, other\nz.part.run(z.unused)\nother.part\n")
                .file(site + "/lazy/__init__.py", "def __getattr__(name):\n    return load(name)\n")
                .file(site + "/lazy/part.py", "# part\n")
                .file(site + "/lazy/rest.py", "# rest\n")
                .file(site + "/other/__init__.py", "# other\n")
                .file(site + "/other/part.py", "# other part\n");
        assertThat(image.reads("python3", "index.py"))
                .contains(site + "/lazy/part.py")
                .doesNotContain(site + "/lazy/rest.py", site + "/other/part.py");
    }

    @Test
    void librariesNameTheirModulesAndSearchTheDocumentsOfDistributions() throws Exception {
        String site = "/usr/local/lib/python3.11/dist-packages";
        MadeImage image = image().file(LIB + "/importlib/__init__.py", "# importlib\n")
                .file(LIB + "/importlib/metadata/__init__.py", "# metadata\n")
                .file(site + "/server/__init__.py", "# server\n")
                .file(site + "/server/config.py", """
                        from importlib.metadata import entry_points
                        PROTOCOLS = {"auto": "server.protocols.auto:AutoProtocol", "other": "elsewhere.x:Y"}
                        """)
                .file(site + "/server/protocols/__init__.py", "# protocols\n")
                .file(site + "/server/protocols/auto.py", "import parser_library\n")
                .file(site + "/parser_library.py", "# parser\n")
                .file(site + "/other-1.0.dist-info/METADATA", "Name: other\n")
                .file(site + "/other-1.0.dist-info/entry_points.txt", "[console_scripts]\n")
                .file(site + "/other-1.0.dist-info/LICENSE", "text\n")
                .file("/app/index.py", "import server.config\n")
                .file("/app/plain.py", "import server\n");
        assertThat(image.reads("python3", "index.py"))
                .contains(
                        site + "/server/protocols/auto.py",
                        site + "/parser_library.py",
                        site + "/other-1.0.dist-info/METADATA",
                        site + "/other-1.0.dist-info/entry_points.txt")
                .doesNotContain(site + "/other-1.0.dist-info/LICENSE");
        assertThat(image.reads("python3", "plain.py")).noneMatch(path -> path.contains("dist-info"));
    }

    @Test
    void anySourceEndsTheAnalysis() throws Exception {
        MadeImage image = image().file(
                        "/app/index.py",
                        "async ".repeat(50_000) + "\nif " + "not ".repeat(50_000) + "x: import json\n'''"
                                + "import a\n".repeat(9));
        StringBuilder chain = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            image.file("/app/m" + i + ".py", "import m" + (i + 1) + "\n");
        }
        image.file(
                "/app/deep.py",
                chain.append("import m0\n").append("if x:\n".repeat(500)).toString());
        assertThat(image.reads("python3", "index.py")).contains("/app/index.py");
        assertThat(image.reads("python3", "deep.py")).contains("/app/m0.py", "/app/m2999.py");
    }
}
