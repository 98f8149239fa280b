package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plans on a node that has pinned a key. */
class SignedPlansTest extends AbstractPlannedImagesTest {
    private static final String PLATFORM = "linux/test";

    private KeyPair key;

    @BeforeEach
    void pin() throws IOException, GeneralSecurityException {
        key = pair();
        pin(key);
    }

    private static KeyPair pair() throws GeneralSecurityException {
        return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    private void pin(KeyPair... pinned) throws IOException {
        shut();
        VerifyingKeys keys = VerifyingKeys.of(pinned[0].getPublic());
        for (KeyPair other : pinned) {
            keys = keys.and(VerifyingKeys.of(other.getPublic()));
        }
        trust = new PlanTrust(Optional.of(keys), PLATFORM);
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
    }

    private static SignedDocument signed(KeyPair by, PlanStatement statement) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(by.getPrivate());
        signature.update(statement.encode());
        return new SignedDocument(statement.encode(), Digest.of(by.getPublic().getEncoded()), signature.sign());
    }

    private static PlanStatement statement(SamplePlan sample, String platform) {
        return PlanStatement.of(sample.digest(), sample.plan(), platform, Instant.now());
    }

    private void sign(SamplePlan sample, KeyPair by) throws GeneralSecurityException {
        registry.statements.put(sample.digest(), signed(by, statement(sample, PLATFORM)));
    }

    private void assertRefused(SamplePlan sample, String reason) {
        assertThat(isPlanned(sample)).isFalse();
        assertThat(plans.all()).isEmpty();
        assertThat(events.recent()).last().satisfies(event -> {
            assertThat(event.severity()).isEqualTo(Event.Severity.FALLBACK);
            assertThat(event.text())
                    .contains(sample.digest() + " of image " + sample.plan().image(), reason);
        });
    }

    @Test
    void aSignedPlanIsUsedAlsoAfterARestartWithoutTheService() throws Exception {
        SamplePlan sample = served(7);
        sign(sample, key);
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        registry.close();
        pin(pair(), key);
        assertThat(isPlanned(sample)).isTrue();
        assertThat(plans.find(sample.plan().topChain())).isPresent();
    }

    @Test
    void anUnsignedOneIsRefusedOnceForAllLayers() {
        SamplePlan sample = served(7);
        assertRefused(sample, "it is not signed");
        assertThat(isPlanned(sample, base(sample))).isFalse();
        assertThat(registry.requests()).hasSize(1);
        PlannedImages.Refreshed pulled =
                node.refresh(sample.plan().topChain(), Optional.of(sample.plan().image()));
        assertThat(pulled.plan()).isEmpty();
        assertThat(pulled.reason()).contains("is refused: it is not signed");
    }

    @Test
    void oneThatAnotherKeyHasSignedIsRefused() throws Exception {
        SamplePlan sample = served(7);
        KeyPair other = pair();
        sign(sample, other);
        assertRefused(sample, Digest.of(other.getPublic().getEncoded()) + ", which no --plan-key has");
    }

    @Test
    void aSignatureOfAnotherPlanIsRefused() throws Exception {
        SamplePlan sample = served(7);
        SamplePlan other = new SamplePlan(8, 5, 5, 2_000);
        registry.statements.put(sample.digest(), signed(key, statement(other, PLATFORM)));
        assertRefused(sample, "of another plan: " + other.digest());
    }

    @Test
    void aSignatureOfAnotherImageChainOrPlatformIsRefused() throws Exception {
        SamplePlan sample = served(7);
        PlanStatement right = statement(sample, PLATFORM);
        Digest other = Digest.of(new byte[1]);
        List<PlanStatement> wrong = List.of(
                new PlanStatement(right.plan(), List.of(other), right.chain(), PLATFORM, right.made()),
                new PlanStatement(right.plan(), right.images(), new ChainId(other), PLATFORM, right.made()),
                statement(sample, "linux/other"));
        List<String> reasons = List.of("of another plan", "of another plan", "platform linux/other");
        for (int i = 0; i < wrong.size(); i++) {
            registry.statements.put(sample.digest(), signed(key, wrong.get(i)));
            shut();
            pinAgain();
            assertRefused(sample, reasons.get(i));
        }
        sign(sample, key);
        shut();
        pinAgain();
        assertThat(isPlanned(sample)).isTrue();
    }

    /** Reopens the node, which forgets its refusals. */
    private void pinAgain() throws IOException {
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
    }

    @Test
    void aPlanOfBeforeTheKeyIsUsedWhenTheServiceSendsItsSignature() throws Exception {
        SamplePlan sample = served(7);
        shut();
        trust = PlanTrust.EVERY_PLAN;
        pinAgain();
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        pin(key);
        assertThat(plans.refused()).hasSize(1);
        assertThat(plans.find(sample.plan().topChain())).isEmpty();
        assertThatThrownBy(() -> start(sample.plan().topChain()))
                .hasMessageContainingAll("no plan on this node contains chain", "it is not signed", "pull it again");
        sign(sample, key);
        node.resume();
        Wait.until("the statement", () -> plans.refused().isEmpty());
        registry.close();
        assertThat(isPlanned(sample)).isTrue();
    }

    @Test
    void aSignatureIsKeptForAKeyThatIsPinnedLater() throws Exception {
        SamplePlan sample = served(7);
        sign(sample, key);
        shut();
        trust = PlanTrust.EVERY_PLAN;
        pinAgain();
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        registry.close();
        pin(key);
        assertThat(isPlanned(sample)).isTrue();
    }
}
