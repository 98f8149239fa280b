package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.feedback.Feedback;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.LayerIndexes;
import io.faasimage.registry.images.image.LayerStatements;
import io.faasimage.registry.images.prediction.StartEvidence;
import io.faasimage.registry.images.profile.ProfileStore;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.blob.WorkFiles;
import io.faasimage.registry.store.object.ObjectFrameTables;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.plan.PredictionTable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.support.TransactionOperations;

/** Jobs that end at the same time. */
@Timeout(60)
class PublicationTest {
    @TempDir
    Path data;

    @Test
    void whatTheyMadeIsUploadedSideBySide() throws Exception {
        try (TestService service = TestService.start(data);
                ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            ResultFiles files = new ResultFiles(
                    meetingAtPublish(service.part(BlobStore.class)),
                    service.part(BlobTable.class),
                    service.part(ObjectTable.class),
                    service.part(LayerIndexes.class),
                    service.part(ObjectFrameTables.class),
                    service.part(LayerStatements.class),
                    service.part(WorkFiles.class));
            Publication publication = new Publication(
                    files,
                    service.part(Feedback.class),
                    service.part(PlanTable.class),
                    service.part(PlanStatements.class),
                    service.part(PredictionTable.class),
                    service.part(ProfileStore.class),
                    service.part(ImageTable.class),
                    service.part(JobTable.class),
                    service.part(JobClaims.class),
                    service.part(TransactionOperations.class));
            Future<Boolean> first = workers.submit(() -> publish(service, publication, "first"));
            Future<Boolean> second = workers.submit(() -> publish(service, publication, "second"));
            // Nobody has registered the images.
            assertThat(first.get()).isFalse();
            assertThat(second.get()).isFalse();
        }
    }

    private static BlobStore meetingAtPublish(BlobStore store) {
        CyclicBarrier both = new CyclicBarrier(2);
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals("publish")) {
                        both.await(20, TimeUnit.SECONDS);
                    }
                    return method.invoke(store, arguments);
                });
    }

    private boolean publish(TestService service, Publication publication, String name) throws IOException {
        Digest image = Digest.of(name.getBytes(StandardCharsets.UTF_8));
        ChainId chain = new ChainId(image);
        RefactorResult result = service.refactoring()
                .run(
                        new ImageRow(
                                image,
                                name,
                                ImageState.REFACTORING,
                                0,
                                chain,
                                Optional.empty(),
                                Optional.empty(),
                                Instant.EPOCH),
                        new StartEvidence.Traced(TraceCodec.decode(TestService.trace(chain, 3))),
                        service.part(ResultFiles.class).stored(),
                        Files.createDirectory(data.resolve(name)),
                        (_, _, _) -> {})
                .orElseThrow();
        JobInfo job =
                new JobInfo(name, image.toString(), JobInfo.State.RUNNING, "publish", 0, 0, null, Instant.EPOCH, null);
        return publication.publish(new JobClaims.Taken(job, name), result);
    }
}
