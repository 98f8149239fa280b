package io.faasimage.cli.function;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A secret of a build, as Docker's {@code buildx build --secret} takes it: {@code id=NAME,src=FILE} or {@code
 * id=NAME,env=VARIABLE}.
 *
 * @param id name of its file in the installation
 * @param file that has it; null if a variable has it
 * @param variable that has it; null if a file has it
 */
record SecretOption(
        String id, @Nullable Path file, @Nullable String variable) {
    private static final String FORM = "write id=NAME,src=FILE or id=NAME,env=VARIABLE";
    private static final Pattern ID = Pattern.compile("\\.?[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** Parses what was given; what is wrong is said without the content. */
    static SecretOption parse(String text) throws IOException {
        Map<String, String> fields = new HashMap<>();
        for (String field : text.split(",", -1)) {
            int equals = field.indexOf('=');
            String name = equals < 0 ? field : field.substring(0, equals);
            String key = name.equals("source") ? "src" : name;
            if (equals < 0 || !key.matches("id|src|env|type") || fields.put(key, field.substring(equals + 1)) != null) {
                throw new IOException("--secret has no field '" + key + "', or has it twice; " + FORM);
            }
        }
        String id = fields.getOrDefault("id", "");
        String file = fields.get("src");
        String variable = fields.get("env");
        if (!ID.matcher(id).matches() || (file == null) == (variable == null)) {
            throw new IOException(
                    "--secret needs an id of letters, digits, '.', '_' and '-', and a file or a variable; " + FORM);
        }
        String type = file == null ? "env" : "file";
        if (!fields.getOrDefault("type", type).equals(type)) {
            throw new IOException("the type of --secret id=" + id + " is not '" + type + "'; " + FORM);
        }
        return new SecretOption(id, file == null ? null : Path.of(file), variable);
    }

    /** Its content, of a file or of one of {@code environment}. */
    byte[] read(Map<String, String> environment) throws IOException {
        if (file != null) {
            try {
                return Files.readAllBytes(file);
            } catch (IOException e) {
                throw new IOException("the secret '" + id + "' cannot be read: " + e, e);
            }
        }
        String value = environment.get(variable);
        if (value == null) {
            throw new IOException("the secret '" + id + "' is in the variable " + variable + ", which is not set");
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
