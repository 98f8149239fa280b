package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
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
        Digest plan = StoreDownIT.planned(service, "ranges", StoreDownIT.CONTENT.subList(0, 4));
        byte[] whole = bundle(service, plan, "[[2,4],[0,1]]").body();
        byte[] rest = bundle(service, plan, "[[2,4],[0,1]],\"offset\":100000").body();
        assertThat(whole).hasSize(rest.length + 100_000);
        assertThat(Arrays.copyOfRange(rest, 1_000, 140_000)).isEqualTo(Arrays.copyOfRange(whole, 101_000, 240_000));
        byte[] content = StoreDownIT.CONTENT.getFirst().bytes();
        HttpResponse<byte[]> part = service.send(service.request(
                        "/v1/objects/" + StoreDownIT.CONTENT.getFirst().digest().hex())
                .header("Range", "bytes=99999-400000"));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(content, 99_999, 400_001));
    }
}
