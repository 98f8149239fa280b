package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Functions from their code to an answer in the languages besides {@link FunctionBuildIT}'s. Node.js' libraries come
 * from its package index, PHP's and Ruby's from packages in the function itself.
 */
@Tag("release")
final class FunctionLanguagesIT {
    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static BuiltFunctions functions;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        cluster = Cluster.start(ClusterOptions.runtimes(List.of("node", "php", "ruby")));
        functions = new BuiltFunctions(cluster, work);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
    }

    @Test
    void node() throws IOException, InterruptedException {
        try (PrivateIndex index =
                new PrivateIndex("correct-horse-battery", Files.createDirectories(work.resolve("index")))) {
            node(index);
        }
    }

    private static void node(PrivateIndex index) throws IOException, InterruptedException {
        Path directory = functions.template("node", "orders");
        Files.writeString(directory.resolve("package.json"), """
                {"name": "orders", "version": "1.0.0", "type": "module", "dependencies":
                 {"uuid": "9.0.1", "@acme/private": "1.0.0"}}
                """);
        Files.writeString(directory.resolve("handler.js"), """
                import { validate } from 'uuid';
                import name from '@acme/private';
                export default async (event) => ({
                    valid: validate(event.query.id), name, body: event.body.toString() });
                """);
        String npm = "@acme:registry=http://%1$s/npm/\n//%1$s/npm/:_auth=%2$s\n".formatted(index.host(), index.login());
        JsonNode built = functions.build(directory, "node", "--secret", index.secret("npmrc", npm));
        index.wasUsedAndThePasswordIsNowhereIn(cluster, functions.cache());
        functions.trace(built, "exec node /home/app/server.js");
        functions.startsColdAndAnswers(built, "/?id=x", "{\"valid\":false,\"name\":\"acme\",\"body\":\"the body\"}");
        assertThat(functions.libraries(built)).contains("node uuid 9.0.1", "node @acme/private 1.0.0");
    }

    @Test
    void php() throws IOException, InterruptedException {
        Path directory = functions.template("php", "greeting");
        Path packages = Files.createDirectories(directory.resolve("packages"));
        try (OutputStream file = Files.newOutputStream(packages.resolve("acme-greeting-1.2.3.zip"));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            put(zip, "composer.json", """
                    {"name": "acme/greeting", "version": "1.2.3", "autoload": {"psr-4": {"Acme\\\\": "src/"}}}""");
            put(zip, "src/Greeting.php", """
                    <?php namespace Acme; class Greeting { static function of($name) { return "hello $name"; } }""");
        }
        Files.writeString(directory.resolve("composer.json"), """
                {"repositories": [{"type": "artifact", "url": "packages/"}, {"packagist.org": false}],
                 "require": {"acme/greeting": "1.2.3"}}""");
        Files.writeString(directory.resolve("handler.php"), """
                <?php return fn (array $event) => [Acme\\Greeting::of($event['query']['name']), $event['body']];""");
        JsonNode built = functions.build(directory, "php");
        functions.trace(built, "exec sh /home/app/start.sh");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(functions.libraries(built)).contains("php acme/greeting 1.2.3");
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    @Test
    void ruby() throws IOException, InterruptedException {
        Path directory = functions.template("ruby", "salute");
        Path cache = Files.createDirectories(directory.resolve("vendor/cache"));
        Shell.run(
                        "python3",
                        "images/gem.py",
                        cache.resolve("acme_greeting-1.2.3.gem").toString())
                .ok();
        Files.writeString(directory.resolve("Gemfile"), "gem \"acme_greeting\", \"1.2.3\"\n");
        Files.writeString(directory.resolve("handler.rb"), """
                require "acme_greeting"
                def handle(event) = [AcmeGreeting.of(event[:query]["name"]), event[:body]]
                """);
        JsonNode built = functions.build(directory, "ruby");
        functions.trace(built, "exec ruby /home/app/server.rb");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(functions.libraries(built)).contains("ruby acme_greeting 1.2.3");
    }
}
