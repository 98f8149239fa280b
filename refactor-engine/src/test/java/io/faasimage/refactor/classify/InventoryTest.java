package io.faasimage.refactor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InventoryTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    @Test
    void debianPackagesHaveTheirFilesThroughLinkedDirectories() throws Exception {
        directories("usr/lib");
        tree.put(new FilePath("lib"), new Inode.Symlink(ATTRIBUTES, "usr/lib"));
        file("etc/os-release", "NAME=\"Debian\"\nID=debian\nVERSION_ID=\"12\"\n");
        file("usr/lib/libc.so.6", "libc");
        file("usr/lib/python3/dist-packages/six.py", "six");
        file("usr/lib/python3/dist-packages/__pycache__/six.cpython-311.pyc", "compiled");
        file("var/lib/dpkg/status", """
                Package: libc6
                Status: install ok installed
                Architecture: amd64
                Version: 2.36-9+deb12u9
                Description: GNU C Library
                 Version: of the description

                Package: python3-six
                Status: install ok installed
                Architecture: all
                Version: 1.16.0-4

                Package: removed
                Status: deinstall ok config-files
                Architecture: all
                Version: 1
                """);
        file("var/lib/dpkg/info/libc6:amd64.list", "/.\n/lib\n/lib/libc.so.6\n");
        file("var/lib/dpkg/info/python3-six.list", "/usr/lib/python3/dist-packages/six.py\n");
        Inventory inventory = inventory();
        assertThat(inventory.distribution()).contains(new Distribution("debian", "12"));
        assertThat(inventory.packages())
                .containsExactly(
                        installed(new PackageId("deb", "libc6", "2.36-9+deb12u9", "amd64"), "usr/lib/libc.so.6"),
                        installed(
                                new PackageId("deb", "python3-six", "1.16.0-4", "all"),
                                "usr/lib/python3/dist-packages/__pycache__/six.cpython-311.pyc",
                                "usr/lib/python3/dist-packages/six.py"));
    }

    @Test
    void distrolessAndAlpineDatabasesAreRead() throws Exception {
        file("var/lib/dpkg/status.d/tzdata", "Package: tzdata\nVersion: 2024a\nArchitecture: all\n");
        file("var/lib/dpkg/status.d/tzdata.md5sums", "0123  usr/share/zoneinfo/UTC\n");
        file("usr/share/zoneinfo/UTC", "utc");
        file("bin/busybox", "busybox");
        file("lib/apk/db/installed", "P:busybox\nV:1.36.1-r29\nA:x86_64\nF:bin\nR:busybox\n\n");
        assertThat(inventory().packages())
                .containsExactly(
                        installed(new PackageId("apk", "busybox", "1.36.1-r29", "x86_64"), "bin/busybox"),
                        installed(new PackageId("deb", "tzdata", "2024a", "all"), "usr/share/zoneinfo/UTC"));
    }

    @Test
    void librariesAndARuntimeWithoutAPackageManager() throws Exception {
        file("usr/local/bin/python3.12", "python");
        file("usr/local/lib/python3.12/os.py", "os");
        String site = "usr/local/lib/python3.12/site-packages/";
        file(site + "flask-3.0.0.dist-info/METADATA", "Name: Flask\nVersion: 3.0.0\n");
        file(site + "flask-3.0.0.dist-info/RECORD", "flask/app.py,,\n");
        file(site + "flask/app.py", "app");
        file("home/app/node_modules/@acme/x/package.json", "{\"name\":\"@acme/x\",\"version\":\"1.0.0\"}");
        file("home/app/handler.py", "the function's own");
        Inventory inventory = inventory();
        assertThat(inventory.distribution()).isEmpty();
        assertThat(inventory.packages())
                .containsExactly(
                        installed(
                                new PackageId("node", "@acme/x", "1.0.0", ""),
                                "home/app/node_modules/@acme/x/package.json"),
                        installed(
                                new PackageId("python", "Flask", "3.0.0", ""),
                                site + "flask/app.py",
                                site + "flask-3.0.0.dist-info/METADATA",
                                site + "flask-3.0.0.dist-info/RECORD"),
                        installed(
                                new PackageId(PackageId.RUNTIME, "python", "3.12", ""),
                                "usr/local/bin/python3.12",
                                "usr/local/lib/python3.12/os.py"));
    }

    private Inventory inventory() throws IOException {
        return Inventory.of(
                tree, digest -> Optional.ofNullable(contents.get(digest)).orElseThrow());
    }

    private static InstalledPackage installed(PackageId id, String... files) {
        return new InstalledPackage(
                id, List.of(files).stream().map(FilePath::new).toList());
    }

    private void directories(String path) {
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            tree.put(new FilePath(path.substring(0, slash)), new Inode.Directory(ATTRIBUTES));
        }
        tree.put(new FilePath(path), new Inode.Directory(ATTRIBUTES));
    }

    private void file(String path, String content) {
        directories(path.substring(0, path.lastIndexOf('/')));
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        contents.put(Digest.of(bytes), bytes);
        tree.put(new FilePath(path), Inode.RegularFile.of(ATTRIBUTES, bytes.length, Digest.of(bytes)));
    }
}
