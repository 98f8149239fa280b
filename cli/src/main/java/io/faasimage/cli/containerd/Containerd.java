package io.faasimage.cli.containerd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * The containerd program, which reports its version and the effective configuration.
 *
 * @param program its path, or its name in {@code PATH}
 */
public record Containerd(String program) {
    private static final int LIMIT_SECONDS = 30;
    private static final Pattern VERSION = Pattern.compile("\\bv?([0-9]{1,4})\\.([0-9]{1,4})\\.[0-9]");
    private static final TomlMapper TOML = new TomlMapper();

    /**
     * A version of containerd.
     *
     * @param major before the first dot
     * @param minor after it
     */
    public record Version(int major, int minor) {
        /** Whether it is this version or a later one. */
        public boolean atLeast(int otherMajor, int otherMinor) {
            return major > otherMajor || (major == otherMajor && minor >= otherMinor);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    /** The program's version. */
    public Version version() throws IOException {
        String said = run(List.of(program, "--version"));
        Matcher matcher = VERSION.matcher(said);
        if (!matcher.find()) {
            throw new IOException("'" + program + " --version' names no version: " + said.strip());
        }
        return new Version(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /**
     * The whole configuration that containerd would start with, defaults and imported files included.
     *
     * @throws IOException when containerd refuses it, with its reason
     */
    public JsonNode dump(Path config) throws IOException {
        return parse(run(List.of(program, "--config", config.toString(), "config", "dump")), program + " config dump");
    }

    /** The configuration that containerd has without a file. */
    JsonNode defaults() throws IOException {
        return parse(run(List.of(program, "config", "default")), program + " config default");
    }

    /** Reads TOML; {@code source} is its origin in messages. */
    static JsonNode parse(String text, String source) throws IOException {
        try {
            return TOML.readTree(text);
        } catch (JacksonException e) {
            throw new IOException(source + " is not TOML: " + e.getOriginalMessage(), e);
        }
    }

    private static String run(List<String> command) throws IOException {
        Path out = Files.createTempFile("faasimage-containerd", ".out");
        Path err = Files.createTempFile("faasimage-containerd", ".err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException(String.join(" ", command) + " did not end within " + LIMIT_SECONDS
                            + " s; run it by hand to see why");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for " + String.join(" ", command), e);
            } finally {
                process.destroyForcibly();
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        String.join(" ", command) + " failed: " + read(err).strip());
            }
            return read(out);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
