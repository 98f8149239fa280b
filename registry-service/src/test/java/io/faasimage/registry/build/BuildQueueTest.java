package io.faasimage.registry.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.BuildRequest;
import io.faasimage.builder.KeptLibraries;
import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.LeaseRequest;
import io.faasimage.builder.protocol.ProtocolJson;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import io.faasimage.registry.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BuildQueueTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final BuildQueue queue = new BuildQueue(2, now::get);

    /** Work that writes down how it ended. */
    private static final class Work implements BuilderWork {
        private final String build;
        private final BuildRequest request;
        private final List<String> lost = new ArrayList<>();

        Work(String build) throws IOException {
            this.build = build;
            this.request = BuildRequest.of(
                    "hello",
                    RuntimeCatalogue.load(Optional.empty()).runtime("python"),
                    ImageReference.parse("registry.test/hello:1"),
                    Optional.of("64Mi"),
                    Map.of("A", "b"),
                    KeptLibraries.USED,
                    BuildSecrets.NONE);
        }

        @Override
        public BuildTask.Kind kind() {
            return BuildTask.Kind.BUILD;
        }

        @Override
        public String build() {
            return build;
        }

        @Override
        public BuildTask task(String lease, int attempt) {
            return new BuildTask(lease, build, attempt, kind(), request, List.of());
        }

        @Override
        public Path archive() {
            return Path.of("/archive");
        }

        @Override
        public long report(BuildReport report) {
            return 0;
        }

        @Override
        public void ended(BuildReport.End end) {
            throw new AssertionError("the queue ends no build");
        }

        @Override
        public void lost(String reason) {
            lost.add(reason);
        }
    }

    private Optional<BuildTask> lease(String builder, BuildTask.Kind kind) throws InterruptedException {
        return queue.lease(new LeaseRequest(builder, kind, 0));
    }

    private BuildTask lease(String builder) throws InterruptedException {
        return lease(builder, BuildTask.Kind.BUILD).orElseThrow();
    }

    private void pass(java.time.Duration time) {
        now.addAndGet(time.toNanos());
        queue.expire();
    }

    @Test
    void workIsGivenOnceInItsOrderToBuildersOfItsKind() throws Exception {
        assertThat(queue.offer(new Work("a"))).isTrue();
        assertThat(queue.offer(new Work("b"))).isTrue();
        assertThat(queue.offer(new Work("c"))).as("there is room for two").isFalse();
        assertThat(lease("x", BuildTask.Kind.CHECK)).isEmpty();
        assertThat(lease("x").build()).isEqualTo("a");
        assertThat(lease("y").build()).isEqualTo("b");
        assertThat(lease("x", BuildTask.Kind.BUILD)).isEmpty();
    }

    @Test
    void aSilentBuilderLosesItsLeaseAndTheBuildIsGivenUpAfterThreeAttempts() throws Exception {
        Work work = new Work("a");
        queue.offer(work);
        List<String> directories = new ArrayList<>();
        for (int i = 1; i <= BuildQueue.MAX_ATTEMPTS; i++) {
            BuildTask task = lease("x");
            directories.add(task.directory());
            assertThat(queue.extend(task.lease())).isSameAs(work);
            pass(BuildQueue.LEASE.dividedBy(2));
            queue.extend(task.lease());
            pass(BuildQueue.LEASE.dividedBy(2));
            assertThat(lease("y", BuildTask.Kind.BUILD))
                    .as("it has reported since")
                    .isEmpty();
            pass(BuildQueue.LEASE);
            assertThatThrownBy(() -> queue.extend(task.lease()))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("no such lease");
        }
        assertThat(directories)
                .as("what an attempt left is not in the way of the next")
                .doesNotHaveDuplicates();
        assertThat(lease("y", BuildTask.Kind.BUILD)).isEmpty();
        assertThat(work.lost).singleElement().asString().contains("did not answer for 30 s", "in each of 3 attempts");
    }

    @Test
    void aBuilderThatDiedBeforeItBeganCostsNoAttempt() throws Exception {
        Work work = new Work("a");
        queue.offer(work);
        for (int i = 0; i < 2 * BuildQueue.MAX_ATTEMPTS; i++) {
            lease("x");
            pass(BuildQueue.FIRST.plusNanos(1));
        }
        assertThat(lease("x").build()).isEqualTo("a");
        assertThat(work.lost).isEmpty();
    }

    @Test
    void theWorkOfABuilderThatIsKnownToHaveDiedIsGivenToTheNextAtOnce() throws Exception {
        queue.offer(new Work("a"));
        queue.offer(new Work("b"));
        BuildTask first = lease("x");
        queue.extend(first.lease());
        BuildTask other = lease("y");
        queue.gone("x");
        assertThat(lease("x", BuildTask.Kind.BUILD))
                .as("a request of the dead one")
                .isEmpty();
        BuildTask again = lease("z");
        assertThat(again.build()).isEqualTo("a");
        assertThat(again.lease()).isNotEqualTo(first.lease());
        assertThat(queue.extend(other.lease()).build()).isEqualTo("b");
    }

    @Test
    void theEndOfALeaseCountsOnce() throws Exception {
        queue.offer(new Work("a"));
        BuildTask task = lease("x");
        assertThat(queue.end(task.lease())).isTrue();
        assertThat(queue.end(task.lease())).isFalse();
        queue.gone("x");
        assertThat(lease("y", BuildTask.Kind.BUILD)).isEmpty();
    }

    @Test
    void aServiceThatEndsGivesBackWhatHasNotEnded() throws Exception {
        Work given = new Work("a");
        Work waiting = new Work("b");
        queue.offer(given);
        queue.offer(waiting);
        lease("x");
        assertThat(queue.close()).containsExactlyInAnyOrder(given, waiting);
        assertThat(queue.offer(new Work("c"))).isFalse();
        assertThat(lease("x", BuildTask.Kind.BUILD)).isEmpty();
    }

    @Test
    void aTaskSurvivesTheWire() throws Exception {
        queue.offer(new Work("a"));
        BuildTask task = lease("x");
        assertThat(ProtocolJson.decode(ProtocolJson.encode(task), BuildTask.class))
                .usingRecursiveComparison()
                .isEqualTo(task);
    }
}
