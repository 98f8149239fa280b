package io.faasimage.registry.platform.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.platform.replica.DatabaseLocks.Name;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tests of which transactions wait for a lock, and for how long. */
@Timeout(120)
class LocksTest extends SharedServices {
    private static int images;

    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final TestService service = service("--faasimage.job-attempts=3");

    @AfterEach
    void stop() {
        threads.close();
    }

    RegisteredImage registered() throws IOException {
        String name = "locked-" + ++images;
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.client().register(new FunctionRequest(name, image.reference(), null, null));
        return image;
    }

    static void assertBusy(ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(e.status()).isEqualTo(429);
            assertThat(e.retryAfter()).isPresent();
        });
    }

    static <T> T called(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private int traces() {
        return Objects.requireNonNull(service.data().resolve("traces").toFile().list()).length;
    }

    @Test
    void registrationsDoNotWaitForATraceThatIsBeingStored() throws Exception {
        RegisteredImage image = service.part(DatabaseLocks.class)
                .holding(
                        Name.TRACE_FILES,
                        () -> called(() -> {
                            RegisteredImage registered = registered();
                            assertBusy(() -> service.client().postTrace(TestService.trace(registered.topChain(), 3)));
                            return registered;
                        }));
        service.client().postTrace(TestService.trace(image.topChain(), 3));
        assertThat(service.client().image(image.digest()).traceRuns()).isEqualTo(1);
    }

    @Test
    void aTraceThatWasMergedWithAnOlderOneThanThereIsDoesNotReplaceIt() throws Exception {
        RegisteredImage image = registered();
        service.client().postTrace(TestService.trace(image.topChain(), 3));
        int before = traces();
        Future<JobInfo> late = service.part(DatabaseLocks.class).inTransaction(Name.TRACES, () -> {
            Future<JobInfo> posted =
                    threads.submit(() -> service.client().postTrace(TestService.trace(image.topChain(), 4)));
            Wait.until("the second trace", () -> traces() == before + 1);
            // As a service that got the lock when this one stood still.
            service.part(JdbcClient.class).sql("UPDATE traces SET runs = 7").update();
            return posted;
        });
        assertBusy(() -> {
            try {
                late.get();
            } catch (java.util.concurrent.ExecutionException e) {
                throw Objects.requireNonNull(e.getCause());
            }
        });
        assertThat(service.client().image(image.digest()).traceRuns()).isEqualTo(7);
    }
}
