package io.faasimage.closure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Modules of Node.js. */
class ScriptClosureTest {
    private static MadeImage image() {
        return new MadeImage().elf("/usr/bin/node", MadeElf.program(""));
    }

    @Test
    void packagesAreFoundByTheirDescriptions() throws Exception {
        MadeImage image = image().file("/app/index.js", """
                        'use strict';
                        const http = require('http'); // require('not')
                        const a = require("a"), b = require('./lib/b');
                        const data = require('./data');
                        require('@scope/c/deep');
                        """)
                .file("/app/package.json", "{\"name\": \"app\"}")
                .file("/app/lib/b.js", "/* require('no') */ module.exports = require('../' + 'x') || /require('y')/;")
                .file("/app/data.json", "{}")
                .file("/app/node_modules/a/package.json", "{\"main\": \"./src\"}")
                .file("/app/node_modules/a/src/index.js", "exports.native = require('./x.node')")
                .elf("/app/node_modules/a/src/x.node", MadeElf.library())
                .file(
                        "/app/node_modules/@scope/c/package.json",
                        "{\"exports\": {\"./deep\": {\"import\": \"./m.mjs\"," + " \"require\": \"./c.cjs\"}}}")
                .file("/app/node_modules/@scope/c/c.cjs", "// c")
                .file("/app/node_modules/@scope/c/m.mjs", "// m");
        assertThat(image.reads("node", "--enable-source-maps", "."))
                .containsExactlyInAnyOrder(
                        "/usr/bin/node",
                        "/app/index.js",
                        "/app/package.json",
                        "/app/node_modules/a/package.json",
                        "/app/node_modules/a/src/index.js",
                        "/app/node_modules/a/src/x.node",
                        "/app/lib/b.js",
                        "/app/data.json",
                        "/app/node_modules/@scope/c/package.json",
                        "/app/node_modules/@scope/c/c.cjs");
    }

    @Test
    void modulesAreImported() throws Exception {
        MadeImage image = image().file("/app/index.mjs", """
                        import fs from 'node:fs';
                        import { a } from '#inner/a';
                        export * from './b.mjs';
                        import './c.mjs';
                        const d = await import(`./d.mjs`);
                        """)
                .file("/app/package.json", "{\"imports\": {\"#inner/*\": \"./src/*.mjs\"}}")
                .file("/app/src/a.mjs", "// a")
                .file("/app/b.mjs", "// b")
                .file("/app/c.mjs", "// c")
                .file("/app/d.mjs", "// d");
        assertThat(image.reads("node", "index.mjs"))
                .contains("/app/src/a.mjs", "/app/b.mjs", "/app/c.mjs", "/app/d.mjs");
    }

    @Test
    void importsInBlocksAreLessProbable() throws Exception {
        MadeImage image = image().file("/app/index.js", """
                        require('./always');
                        if (a / b) { require('./branch'); }
                        function later() { return import("./later.mjs"); }
                        x.require('./member');
                        """)
                .file("/app/always.js", "// always")
                .file("/app/branch.js", "// branch")
                .file("/app/later.mjs", "// later")
                .file("/app/member.js", "// member");
        Map<String, Double> confidences = image.confidences("node", "index.js");
        assertThat(confidences.get("/app/always.js")).isEqualTo(1);
        assertThat(confidences.get("/app/branch.js")).isBetween(0.5, 0.8);
        assertThat(confidences.get("/app/later.mjs")).isBetween(0.5, 0.8);
        assertThat(confidences).doesNotContainKey("/app/member.js");
    }

    @Test
    void scriptsOfPackagesAreStarted() throws Exception {
        MadeImage image = image().elf("/bin/sh", MadeElf.program(""))
                .file("/usr/bin/npm", "#!/usr/bin/node\nrequire('/npm/cli.js')")
                .file("/npm/cli.js", "// npm")
                .file("/app/package.json", "{\"scripts\": {\"start\": \"node server.js\"}}")
                .file("/app/server.js", "// server");
        assertThat(image.reads("npm", "start")).contains("/usr/bin/npm", "/npm/cli.js", "/bin/sh", "/app/server.js");
    }

    @Test
    void anyTextEndsTheAnalysis() throws Exception {
        MadeImage image = image().file(
                        "/app/index.js", "`${".repeat(10_000) + "{".repeat(100_000) + "[/".repeat(100_000))
                .file("/app/package.json", "[".repeat(100_000))
                .file("/app/other.js", "require('./other'); require('a'); require('\\u0000')")
                .file("/app/node_modules/a/package.json", "{\"exports\": [[[[[\"./a.js\"]]]], \"main\": 7}");
        assertThat(image.reads("node", "index.js")).contains("/app/index.js");
        assertThat(image.reads("node", "other.js")).contains("/app/other.js");
    }
}
