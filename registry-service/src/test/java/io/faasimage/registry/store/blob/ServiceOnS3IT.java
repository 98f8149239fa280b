package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.store.bundle.BundleFrames;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bundles and objects of a service with its blobs in S3: ranges of S3 objects. */
@Timeout(120)
class ServiceOnS3IT extends SharedServices {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    private static HttpResponse<byte[]> bundle(TestService service, Digest plan, String ranges) throws Exception {
        HttpResponse<byte[]> answer = service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"plan\":\"" + plan + "\",\"ranges\":" + ranges + "}")));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer;
    }

    @Test
    void anInterruptedBundleGoesOnAndAnObjectComesInParts() throws Exception {
        TestService service = service();
        List<TestContent> rest = StoreDownIT.CONTENT.subList(0, 4).stream()
                .map(content -> new TestContent(content.bytes(), content.segment(), false))
                .toList();
        Digest plan = StoreDownIT.planned(service, "ranges", rest);
        byte[] whole = bundle(service, plan, "[[2,4],[0,1]]").body();
        byte[] later = bundle(service, plan, "[[2,4],[0,1]],\"offset\":100000").body();
        assertThat(whole).hasSize(later.length + 100_000);
        assertThat(Arrays.copyOfRange(later, 1_000, 140_000)).isEqualTo(Arrays.copyOfRange(whole, 101_000, 240_000));
        byte[] content = StoreDownIT.CONTENT.getFirst().bytes();
        HttpResponse<byte[]> part = service.send(service.request(
                        "/v1/objects/" + StoreDownIT.CONTENT.getFirst().digest().hex())
                .header("Range", "bytes=99999-400000"));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(content, 99_999, 400_001));
    }

    @Test
    void singleFramesComeFromAnywhere() throws Exception {
        TestService service = service();
        List<TestContent> content = StoreDownIT.CONTENT.subList(4, 8);
        Digest plan = StoreDownIT.planned(service, "frames", content);
        List<IndexRange> ranges =
                List.of(new IndexRange(20, 30), new IndexRange(3, 4), new IndexRange(6, 7), new IndexRange(9, 10));
        assertThat(BundleFrames.objects(BundleFrames.read(service, BundleRequest.exact(plan, ranges, 0))))
                .containsExactly(
                        content.get(2).digest(),
                        content.get(3).digest(),
                        content.get(0).digest(),
                        content.get(1).digest());
    }
}
