package io.faasimage.registry.store.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.testing.Wait;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the number of plans that a request reads to know the objects that a node holds. */
@Timeout(120)
class PrefetchListsTest {
    private static final int PLANS = 10;

    @TempDir
    static Path data;

    @Test
    void aRequestReadsFewOfThePlansThatANodeHoldsAndTheNextOneKnowsAll() throws Exception {
        try (TestService service = TestService.plain(data)) {
            List<Digest> held = new ArrayList<>();
            for (int i = 0; i < PLANS; i++) {
                held.add(service.plan(service.planned("held", List.of(TestContent.of(i, 10, Segment.FUNC, true)))));
            }
            PlanIndex wanted = service.part(PlanLayouts.class)
                    .find(held.getFirst())
                    .orElseThrow()
                    .index();
            try (PrefetchLists cold = new PrefetchLists(
                    service.part(PlanTable.class),
                    service.part(PlanFiles.class),
                    service.part(RegistrySettings.class))) {
                assertThat(cold.of(held, wanted)).hasSize(4);
                Wait.until("all lists", () -> cold.of(held, wanted).size() == PLANS);
            }
        }
    }
}
