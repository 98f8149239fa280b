package io.faasimage.builder.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.refactor.image.ImageLocation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hostile installation scripts in runc's real containers, with a root file system of busybox; needs root. */
@SuppressWarnings("NullAway.Init")
class InstallerIT {
    private static final long MIB = 1 << 20;

    /** Below a directory that only root may enter, as a service's data may be. */
    @TempDir
    private Path work;

    private Path root;
    private Path function;

    @BeforeEach
    void makeRoot() throws IOException {
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx------"));
        root = work.resolve("root");
        Files.createDirectories(root.resolve("bin"));
        Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
        for (String applet : List.of("sh", "cat", "dd", "id", "ln", "ls", "mount", "nc", "sleep", "touch", "unshare")) {
            Files.createSymbolicLink(root.resolve("bin/" + applet), Path.of("busybox"));
        }
        function = Files.createDirectory(work.resolve("function"));
    }

    /** What the script prints, whose limit is 8 MiB of disk and 30 seconds. */
    private String install(String script) throws IOException {
        return install(script, BuildSecrets.NONE);
    }

    private String install(String script, BuildSecrets secrets) throws IOException {
        FunctionRuntime runtime = new FunctionRuntime(
                "hostile1",
                ImageLocation.parse("example.org/hostile:1"),
                ImageLocation.parse("example.org/hostile:1"),
                "handler",
                List.of(),
                List.of(".npmrc", "linked"),
                List.of(),
                "/opt/libraries",
                script,
                new TreeMap<>(),
                List.of("server"),
                new TreeMap<>());
        Path output = work.resolve("output");
        Installer installer = new Installer(
                "runc", new InstallLimits(Duration.ofSeconds(30), 256 * MIB, 1, 100 * MIB, 8 * MIB, 1 << 16));
        try (Installed installed = installer.run(new Installation(
                "faasimage-build-" + UUID.randomUUID(),
                root,
                runtime,
                function,
                Files.createDirectory(work.resolve("build")),
                Map.of(),
                secrets,
                EgressRules.parse(List.of()),
                output))) {
            assertThat(installed.libraries()).isDirectory();
        }
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain("/run/faasimage-install");
        return Files.readString(output);
    }

    @Test
    void aScriptSeesAndReachesNothingOfTheMachine() throws IOException {
        Path secret = Files.writeString(work.resolve("secret"), "of the service");
        try (ServerSocket machine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String output = install("""
                    try() {
                      name=$1
                      shift
                      if "$@" >/dev/null 2>&1; then echo "$name: yes"; else echo "$name: no"; fi
                    }
                    id -u
                    cat /proc/self/uid_map /proc/self/status
                    echo processes $(ls /proc | busybox grep -c '^[0-9]')
                    try file cat %s
                    ln -s %s "$LIBRARIES/link"
                    try link cat "$LIBRARIES/link"
                    try root touch /mine /bin/mine
                    try libraries touch "$LIBRARIES/mine"
                    try mount mount -t tmpfs none /tmp
                    try user unshare -U true
                    try network unshare -n true
                    try machine nc -w 1 127.0.0.1 %d
                    try device cat /dev/kmsg
                    try masked busybox test -s /proc/interrupts
                    """.formatted(secret, secret, machine.getLocalPort()));
            assertThat(output)
                    .startsWith("64321\n")
                    .containsPattern("(?m)^ +0 1895432192 +65536$")
                    .containsPattern("CapBnd:\\s0{16}\n")
                    .containsPattern("NoNewPrivs:\\s1\n")
                    .containsPattern("Seccomp:\\s2\n")
                    .containsPattern("(?m)^processes [2-4]$")
                    .contains("file: no", "link: no", "root: no", "libraries: yes", "mount: no", "user: no")
                    .contains("network: no", "machine: no", "device: no", "masked: no");
        }
    }

    @Test
    void credentialsAreReadAndNotChangedAndALinkIsNoFileOfTheMachine() throws IOException {
        Files.writeString(function.resolve(".npmrc"), "token");
        Path secret = Files.writeString(work.resolve("secret"), "of the service");
        Files.createSymbolicLink(function.resolve("linked"), secret);
        // runc copies errors by itself, and so at any time.
        assertThat(install("cat .npmrc; echo more 2>/dev/null >>.npmrc || echo refused;"
                        + " cat linked 2>/dev/null || echo nothing"))
                .contains("tokenrefused\nnothing\n")
                .doesNotContain("of the service");
    }

    @Test
    void secretsAreReadInMemoryAndAreInNoFileAndNoOutput() throws IOException {
        String password = "hunter2hunter2";
        byte[] npmrc = ("//127.0.0.1/:_authToken=" + password).getBytes(StandardCharsets.UTF_8);
        byte[] netrc = ("machine example.org login me password " + password).getBytes(StandardCharsets.UTF_8);
        String output = install("""
                busybox stat -c '%n %a %u' /run/secrets/*
                busybox grep ' /run/secrets ' /proc/self/mounts
                busybox grep -c . $NPM_CONFIG_USERCONFIG $NETRC
                ls -l /tmp/.netrc
                cat $NPM_CONFIG_USERCONFIG
                echo more 2>/dev/null >/run/secrets/more || echo refused
                """, BuildSecrets.of(Map.of("npmrc", npmrc, "netrc", netrc)));
        assertThat(output)
                .contains("/run/secrets/netrc 400 64321\n/run/secrets/npmrc 400 64321\n")
                .containsPattern("(?m)^none /run/secrets tmpfs ro,nosuid,nodev,noexec,")
                .contains("/run/secrets/npmrc:1\n/run/secrets/netrc:1\n")
                .contains("/tmp/.netrc -> /run/secrets/netrc", "\n***", "refused\n")
                .doesNotContain(password);
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(password);
            }
        }
    }

    @Test
    void filesAreBounded() {
        assertThatExceptionOfType(BuildException.class)
                .isThrownBy(() -> install("i=0; while [ $i -lt 10000 ]; do i=$((i+1)); echo >/tmp/$i; done"))
                .withMessageContaining("or than the files that a disk of this size has room for")
                .withMessageContaining("No space left on device")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(BuildException.Kind.LIMIT));
    }

    @Test
    void processesAreBounded() throws IOException {
        assertThatExceptionOfType(BuildException.class)
                .isThrownBy(() -> install("while true; do sleep 60 & done"))
                .withMessageContaining("can't fork");
    }

    @Test
    void aFilledDiskEndsTheScript() {
        assertThatExceptionOfType(BuildException.class)
                .isThrownBy(() -> install("i=0; while true; do i=$((i+1)); dd if=/dev/zero of=/tmp/$i bs=1M count=4"
                        + " 2>/dev/null; sleep 0.1; done"))
                .withMessageContaining("MiB of disk")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(BuildException.Kind.LIMIT));
    }
}
