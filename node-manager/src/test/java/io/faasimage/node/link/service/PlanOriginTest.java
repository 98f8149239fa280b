package io.faasimage.node.link.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanOriginTest {
    private static final Digest UNKNOWN = Digest.of("unknown".getBytes(StandardCharsets.UTF_8));

    private final SamplePlan sample = new SamplePlan(7, 5, 5, 100);
    private final Artifacts artifacts = new Artifacts();

    @SuppressWarnings("NullAway.Init")
    private SmallService service;

    /** Has every plan, and notes what it was asked for. */
    private static final class Artifacts implements OtherPlans {
        private final List<String> asked = new ArrayList<>();
        private boolean isEmpty;

        @Override
        public Optional<BundleStream> bundle(BundleRequest request) {
            asked.add("bundle");
            return isEmpty ? Optional.empty() : Optional.of(stream());
        }

        private static BundleStream stream() {
            return new BundleStream(
                    InputStream.nullInputStream(),
                    Optional.of("of an artifact"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    -1,
                    Optional.of("way"));
        }

        @Override
        public Optional<ObjectContent> metadata(Digest image) {
            asked.add("metadata");
            return Optional.of(new ObjectContent(InputStream.nullInputStream(), true));
        }
    }

    @BeforeEach
    void start() throws IOException {
        service = new SmallService();
        service.add(sample);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private ServiceLink link(PlanOrigin origin) {
        ServiceLink link = service.link(origin);
        link.useArtifacts(artifacts);
        return link;
    }

    private static Optional<String> way(ServiceLink link, Digest plan) throws IOException {
        try (BundleStream answer = link.bundle(BundleRequest.headers(plan)).orElseThrow()) {
            return answer.way();
        }
    }

    @Test
    void withTheServiceAloneNoArtifactIsLookedFor() throws IOException {
        ServiceLink link = link(PlanOrigin.SERVICE);
        assertThat(way(link, sample.digest())).isEmpty();
        assertThat(link.bundle(BundleRequest.headers(UNKNOWN))).isEmpty();
        service.close();
        assertThatThrownBy(() -> link.bundle(BundleRequest.headers(sample.digest())))
                .isInstanceOf(ServiceDownException.class);
        assertThat(artifacts.asked).isEmpty();
    }

    @Test
    void withBothTheServiceComesFirst() throws IOException {
        ServiceLink link = link(PlanOrigin.BOTH);
        assertThat(way(link, sample.digest())).isEmpty();
        assertThat(artifacts.asked).isEmpty();
        assertThat(way(link, UNKNOWN)).as("a plan that it does not have").contains("way");
    }

    @Test
    void withBothAnArtifactStandsInForAServiceThatIsAway() throws IOException {
        ServiceLink link = link(PlanOrigin.BOTH);
        service.close();
        for (int i = 0; i < 5; i++) {
            assertThat(way(link, sample.digest())).contains("way");
        }
        assertThat(link.refusal()).as("the breaker").isPresent();
        assertThatCode(link::checkThere).doesNotThrowAnyException();
        assertThat(link.metadata(UNKNOWN)).isPresent();
        artifacts.isEmpty = true;
        assertThatThrownBy(() -> link.bundle(BundleRequest.headers(sample.digest())))
                .isInstanceOf(ServiceDownException.class);
    }

    @Test
    void withoutAServiceNothingIsSentThere() throws IOException {
        ServiceLink link = link(PlanOrigin.REGISTRY);
        assertThat(way(link, sample.digest())).contains("way");
        assertThat(link.object(UNKNOWN)).isEmpty();
        assertThat(link.chain(ChainId.ofBase(UNKNOWN))).isEmpty();
        assertThat(link.metadata(UNKNOWN)).isPresent();
        assertThat(link.reachable()).isTrue();
        assertThatThrownBy(() -> link.postTrace(new byte[1])).isInstanceOf(ServiceDownException.class);
        assertThat(service.requests()).isEmpty();
    }
}
