package io.faasimage.registry.images.job;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The steps of tests of jobs: functions with content, traces, and waiting. */
public final class TestJobs {
    /** The content of images of these tests. */
    public static final TestContent CONTENT = TestContent.of(11, 50_000, Segment.FUNC, true);

    private TestJobs() {}

    /** Registers a function of a new image with some content. */
    public static RegisteredImage register(TestService service, String name) throws IOException {
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.refactoring().content(image.digest(), List.of(CONTENT));
        service.client().register(new FunctionRequest(name, "registry.test/" + name + ":1", null, null));
        return image;
    }

    /** Posts a trace of an image, and awaits the end of the job that comes of it. */
    static JobInfo endOfFirst(TestService service, RegisteredImage image) throws IOException {
        return service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
    }

    /** Makes a job wait until the test lets it continue. */
    static void waitFor(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the test did not go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** A failure that may pass. */
    static RefactorException registryIsDown() {
        return new RefactorException(RefactorException.Kind.UNAVAILABLE, "the image's registry is down");
    }
}
