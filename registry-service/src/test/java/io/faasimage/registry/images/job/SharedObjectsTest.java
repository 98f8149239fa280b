package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.StoredForm;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.bundle.BundleFrames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that run at the same time and store the same object, each compressed in its own way. */
@Timeout(60)
class SharedObjectsTest extends SharedServices {
    private static final String OWN = "--faasimage.workers=2";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachPlanNamesTheFramesThatAreStored(boolean startupFirst) throws Exception {
        TestService service = service(OWN);
        byte[] text = text(startupFirst ? 1 : 2);
        assertThat(StoredForm.of(text, 3).frames())
                .isNotEqualTo(StoredForm.of(text, 9).frames());
        String name = startupFirst ? "first" : "last";
        RegisteredImage reads = registered(service, name + "-reads", text, true);
        RegisteredImage has = registered(service, name + "-has", text, false);
        RegisteredImage first = startupFirst ? reads : has;
        RegisteredImage second = startupFirst ? has : reads;
        CountDownLatch packed = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        service.refactoring().interfere(running -> {
            if (running.digest().equals(second.digest())) {
                packed.countDown();
                TestJobs.waitFor(goOn);
            }
        });
        JobInfo waiting = service.client().postTrace(TestService.trace(second.topChain(), 3));
        TestJobs.waitFor(packed);
        service.traced(first);
        goOn.countDown();
        assertThat(service.awaitEnd(waiting.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertSent(service, reads, true);
        assertSent(service, has, false);
        assertThat(service.part(JobTable.class).retries(waiting.id()))
                .as("the image is not read again")
                .isZero();
    }

    /** Letters, which zstd's levels compress differently. */
    private static byte[] text(int seed) {
        byte[] text = new byte[200_000];
        Random random = new Random(seed);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ('a' + random.nextInt(1 + random.nextInt(20)));
        }
        return text;
    }

    private static RegisteredImage registered(TestService service, String name, byte[] text, boolean startup)
            throws IOException {
        RegisteredImage image = TestJobs.register(service, name);
        TestContent own = new TestContent(name.getBytes(StandardCharsets.UTF_8), Segment.FUNC, true);
        service.refactoring().content(image.digest(), List.of(own, new TestContent(text, Segment.FUNC, startup)));
        return image;
    }

    /** The bytes of each frame are compared with the plan. */
    private static void assertSent(TestService service, RegisteredImage image, boolean startup) throws IOException {
        BundleRequest request =
                BundleRequest.discovery(image.topChain(), Set.of(Segment.values()), List.of(), null, Prefix.NEWEST);
        assertThat(BundleFrames.objects(BundleFrames.read(service, request))).hasSize(startup ? 2 : 1);
    }
}
