package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with a pinned key, and an attacker who writes the service's database and blobs. */
final class SignedPlansIT {
    @TempDir
    private Path work;

    @Test
    void aForgedPlanIsRefusedAndItsImageStartsTheOrdinaryWay() throws IOException, InterruptedException, SQLException {
        try (Cluster cluster = Cluster.start()) {
            Path key = Files.writeString(
                    work.resolve("plan-key.pem"),
                    cluster.faasimage("plan-key", "show").ok());
            assertThat(key).hasSameTextualContentAs(cluster.dir.resolve("d/plan-key.pub"));
            cluster.agent.restart("--plan-key", key.toString());
            BusyboxImages images = new BusyboxImages(cluster, work.resolve("images"));
            String victim = images.planned("victim");
            images.planned("evil");
            assertStarts(cluster, victim, "planned", "victim");
            cluster.agent.restart("--plan-key", key.toString());
            cluster.killService();
            assertStarts(cluster, victim, "planned", "victim");
            cluster.startService();
            forget(cluster, images, victim);
            forge(cluster, "victim", "evil");
            cluster.startService();
            PullOutcome pulled = assertStarts(cluster, victim, "ordinary", "victim");
            assertThat(pulled.reason()).contains("is refused: its signature is of another plan", "of image sha256:");
            // Without the key, it would have run.
            forget(cluster, images, victim);
            cluster.agent.restart();
            assertStarts(cluster, victim, "planned", "evil");
        }
    }

    /** Pulls the image in this way and runs a container of it, which sees this image's file. */
    private static PullOutcome assertStarts(Cluster cluster, String image, String way, String content)
            throws IOException, InterruptedException {
        PullOutcome pulled = cluster.agent.pull(image);
        assertThat(pulled.way()).as(pulled.toString()).isEqualTo(way);
        cluster.containers.runWaiting(image, "signed");
        assertThat(cluster.containers.exec("signed", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of " + content + "\n");
        cluster.containers.remove("signed");
        return pulled;
    }

    private static void forget(Cluster cluster, BusyboxImages images, String image)
            throws IOException, InterruptedException {
        images.forget(image);
        assertThat(cluster.agent.prune().keptPlans()).isZero();
    }

    /** A plan of the victim's image with the other one's content, the newest of its image, with a right signature. */
    private static void forge(Cluster cluster, String victim, String other)
            throws IOException, InterruptedException, SQLException {
        ImageInfo ofVictim;
        Plan planOfVictim;
        ImageInfo ofOther;
        Plan planOfOther;
        try (ServiceClient service = cluster.client()) {
            ofVictim = image(service, victim);
            planOfVictim = PlanCodec.decode(service.plan(Digest.parse(ofVictim.digest())));
            ofOther = image(service, other);
            planOfOther = PlanCodec.decode(service.plan(Digest.parse(ofOther.digest())));
        }
        cluster.killService();
        byte[] forged = PlanCodec.encode(mixed(planOfVictim, planOfOther));
        Digest name = Digest.of(forged);
        Files.write(cluster.dir.resolve("d/plans").resolve(name.hex()), forged);
        store(
                cluster.dir.resolve("d/registry"),
                name.toString(),
                String.valueOf(ofVictim.plan()),
                String.valueOf(ofOther.plan()));
    }

    private static ImageInfo image(ServiceClient service, String function) throws IOException {
        return service.images().stream()
                .filter(image -> image.functions().contains(function))
                .findFirst()
                .orElseThrow();
    }

    private static Plan mixed(Plan victim, Plan other) {
        List<PlanLayer> layers = new ArrayList<>();
        for (int i = 0; i < victim.layers().size(); i++) {
            PlanLayer content = other.layers().get(i);
            layers.add(new PlanLayer(victim.layers().get(i).chainId(), content.metadata(), content.metadataSize()));
        }
        return new Plan(victim.image(), victim.trace(), layers, other.libraries(), other.objects(), other.prefetch());
    }

    private static void store(Path database, String forged, String victim, String other) throws SQLException {
        String url = "jdbc:h2:" + database + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH";
        String blob = "plans/" + Digest.parse(forged).hex();
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            update(
                    connection,
                    "INSERT INTO plans (digest, image, top_chain, created, version, runtime)"
                            + " SELECT ?, image, top_chain, created, version + 1, runtime FROM plans WHERE digest = ?",
                    forged,
                    victim);
            for (String table :
                    new String[] {"plan_chains (plan, chain)", "plan_statements (plan, signing_key, statement)"}) {
                String columns = table.substring(table.indexOf(',') + 1, table.length() - 1);
                update(
                        connection,
                        "INSERT INTO " + table + " SELECT ?, " + columns + " FROM "
                                + table.substring(0, table.indexOf(' ')) + " WHERE plan = ?",
                        forged,
                        victim);
            }
            update(
                    connection,
                    "INSERT INTO plan_segments (plan, segment, startup_objects, startup_bytes, startup_stored, objects,"
                            + " bytes, stored) SELECT ?, segment, startup_objects, startup_bytes, startup_stored,"
                            + " objects, bytes, stored FROM plan_segments WHERE plan = ?",
                    forged,
                    other);
            update(connection, "INSERT INTO blobs (name) VALUES (?)", blob);
            update(
                    connection,
                    "INSERT INTO plan_blobs (plan, blob) SELECT ?, blob FROM plan_blobs"
                            + " WHERE plan = ? AND blob NOT LIKE 'plans/%'",
                    forged,
                    other);
            update(connection, "INSERT INTO plan_blobs (plan, blob) VALUES (?, ?)", forged, blob);
        }
    }

    private static void update(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            assertThat(statement.executeUpdate()).as(sql).isPositive();
        }
    }
}
