package io.faasimage.refactor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassifierTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    @Test
    void dpkgOwnsThroughLinkedDirectories() throws Exception {
        link("lib", "usr/lib");
        file("usr/lib/libc.so", "libc");
        file("usr/lib/own.so", "own");
        file("var/lib/dpkg/info/libc6.list", "/.\n/lib\n/lib/libc.so\n");
        assertThat(owner("libc")).isEqualTo(Owner.BASE);
        assertThat(owner("own")).isEqualTo(Owner.FUNC);
        assertThat(owner("/.\n/lib\n/lib/libc.so\n")).isEqualTo(Owner.BASE);
    }

    @Test
    void apkOwnsWhatItsDatabaseLists() throws Exception {
        file("bin/busybox", "busybox");
        file("app/main", "main");
        file("lib/apk/db/installed", "P:busybox\nV:1\nF:bin\nR:busybox\n\n");
        assertThat(owner("busybox")).isEqualTo(Owner.BASE);
        assertThat(owner("main")).isEqualTo(Owner.FUNC);
    }

    @Test
    void unreadRpmDatabaseIsWarnedOf() throws Exception {
        file("var/lib/rpm/rpmdb.sqlite", "db");
        file("usr/bin/bash", "bash");
        file("usr/local/bin/own", "own");
        Classifier.Classification result = classify();
        assertThat(result.warnings()).anyMatch(w -> w.contains("rpm"));
        assertThat(result.owners().get(digest("bash"))).isEqualTo(Owner.BASE);
        assertThat(result.owners().get(digest("own"))).isEqualTo(Owner.FUNC);
    }

    @Test
    void packagesWithImpossibleNamesAreWarnedOfAndSkipped() throws Exception {
        String site = "usr/lib/python3/site-packages/";
        String longName = "n".repeat(2000);
        file(site + "a-1.dist-info/METADATA", "Name: " + longName + "\nVersion: 1\n");
        file(site + "a-1.dist-info/RECORD", "a.py,,\n");
        file(site + "a.py", "a");
        file(site + "b.egg-info/PKG-INFO", "Name: b\nVersion: 1\n");
        file(site + "b.egg-info/top_level.txt", longName + "\n");
        file("app/node_modules/c/package.json", "{\"name\":\"c\",\"version\":\"" + longName + "\"}");
        file("app/node_modules/c/index.js", "c");
        file("app/node_modules/d/package.json", "{\"name\":\"d\",\"version\":\"1\"}");
        file("app/node_modules/d/index.js", "d");
        file(
                "vendor/composer/installed.json",
                "[{\"name\":\"" + longName + "\",\"version\":\"1\",\"install-path\":\"../e\"}]");
        file("gems/specifications/f-1.gemspec", "s.name = '" + longName + "'\ns.version = '1'\n");
        Classifier.Classification result = classify();
        assertThat(result.warnings()).hasSize(5);
        assertThat(result.owners().get(digest("a"))).isEqualTo(Owner.FUNC);
        assertThat(result.owners().get(digest("c"))).isEqualTo(Owner.FUNC);
        assertThat(result.owners().get(digest("d"))).isEqualTo(library("node", "d", "1"));
    }

    @Test
    void pythonFilesBelongToTheirDistribution() throws Exception {
        String site = "usr/local/lib/python3.12/site-packages/";
        file("usr/local/bin/python3.12", "python");
        file("usr/local/lib/python3.12/os.py", "os");
        file("usr/local/bin/flask", "script");
        file(site + "flask/app.py", "app");
        file(site + "flask/__pycache__/app.cpython-312.pyc", "pyc");
        file(site + "flask/a, b.py", "quoted");
        file(site + "flask-3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: Flask\nVersion: 3.0\n\nName: x\n");
        file(
                site + "flask-3.0.dist-info/RECORD",
                "flask/app.py,sha256=x,3\n../../../bin/flask,,\n\"flask/a, b.py\",,\n");
        file("function/handler.py", "handler");
        Owner flask = library("python", "Flask", "3.0");
        assertThat(owner("python")).isEqualTo(Owner.BASE);
        assertThat(owner("os")).isEqualTo(Owner.BASE);
        assertThat(owner("app")).isEqualTo(flask);
        assertThat(owner("script")).isEqualTo(flask);
        assertThat(owner("pyc")).isEqualTo(flask);
        assertThat(owner("quoted")).isEqualTo(flask);
        assertThat(owner("handler")).isEqualTo(Owner.FUNC);
    }

    @Test
    void distributionsOfTheOsAreBase() throws Exception {
        String site = "usr/lib/python3/dist-packages/";
        file(site + "six.py", "six");
        file(site + "__pycache__/six.cpython-311.pyc", "pyc");
        file(site + "six-1.egg-info/PKG-INFO", "Name: six\nVersion: 1\n");
        file(site + "six-1.egg-info/top_level.txt", "six\n");
        file("var/lib/dpkg/info/six.list", "/" + site + "six.py\n");
        assertThat(owner("six")).isEqualTo(Owner.BASE);
        assertThat(owner("pyc")).isEqualTo(Owner.BASE);
    }

    @Test
    void nodeFilesBelongToTheInnermostPackage() throws Exception {
        file("app/node_modules/express/package.json", "{\"name\":\"express\",\"version\":\"4.1.0\"}");
        file("app/node_modules/express/index.js", "express");
        file("app/node_modules/express/node_modules/@s/p/package.json", "{\"name\":\"@s/p\",\"version\":\"2.0.0\"}");
        file("app/node_modules/express/node_modules/@s/p/lib/x.js", "scoped");
        file("app/node_modules/.package-lock.json", "{}");
        file("usr/local/bin/node", "node");
        file("usr/local/lib/node_modules/npm/package.json", "{\"name\":\"npm\",\"version\":\"10.0.0\"}");
        assertThat(owner("express")).isEqualTo(library("node", "express", "4.1.0"));
        assertThat(owner("scoped")).isEqualTo(library("node", "@s/p", "2.0.0"));
        assertThat(owner("{}")).isEqualTo(Owner.FUNC);
        assertThat(owner("{\"name\":\"npm\",\"version\":\"10.0.0\"}")).isEqualTo(Owner.BASE);
    }

    @Test
    void gemsAndComposerPackagesAreLibraries() throws Exception {
        file("usr/local/bundle/specifications/rack-3.0.8.gemspec", "s.name = \"rack\".freeze\ns.version = \"3.0.8\"\n");
        file("usr/local/bundle/gems/rack-3.0.8/lib/rack.rb", "rack");
        file(
                "app/vendor/composer/installed.json",
                "{\"packages\":[{\"name\":\"m/log\",\"version\":\"2.9.1\",\"install-path\":\"../m/log\"}]}");
        file("app/vendor/m/log/Log.php", "log");
        assertThat(owner("rack")).isEqualTo(library("ruby", "rack", "3.0.8"));
        assertThat(owner("log")).isEqualTo(library("php", "m/log", "2.9.1"));
    }

    @Test
    void sameContentBelongsToTheBaseFirst() throws Exception {
        file("app/copy", "licence");
        file("usr/share/licence", "licence");
        file("var/lib/dpkg/info/a.list", "/usr/share/licence\n");
        assertThat(owner("licence")).isEqualTo(Owner.BASE);
    }

    private static Owner library(String ecosystem, String name, String version) {
        return Owner.of(new Library(ecosystem, name, version));
    }

    private void file(String path, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        contents.put(Digest.of(bytes), bytes);
        put(FilePath.ofText(path), Inode.RegularFile.of(ATTRIBUTES, bytes.length, Digest.of(bytes)));
    }

    private void link(String path, String target) {
        put(FilePath.ofText(path), new Inode.Symlink(ATTRIBUTES, target));
    }

    private void put(FilePath path, Inode inode) {
        if (tree.get(path.parent()).isEmpty()) {
            put(path.parent(), new Inode.Directory(ATTRIBUTES));
        }
        tree.put(path, inode);
    }

    private Classifier.Classification classify() throws IOException {
        return Classifier.classify(tree, digest -> contents.getOrDefault(digest, new byte[0]));
    }

    private Owner owner(String content) throws IOException {
        return classify().owners().getOrDefault(digest(content), Owner.FUNC);
    }

    private static Digest digest(String content) {
        return Digest.of(content.getBytes(StandardCharsets.UTF_8));
    }
}
