package io.faasimage.node.lookup;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.plan.StoredPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request for a plan, as it is sent to the registry. */
sealed interface PlanQuestion {
    /** The request in words. */
    String text();

    /** Whether a start may wait for the answer. */
    boolean isForStart();

    /** Whether objects of the start-up set are to come with the plan. */
    boolean wantsObjects();

    /** Whether a plan answers the request. */
    boolean isAnsweredBy(StoredPlan plan);

    /** Whether a plan is of the very image that was requested, so that its start-up set is wanted. */
    boolean isForWhole(StoredPlan plan);

    /**
     * The request.
     *
     * @param segments whose objects are to come
     * @param have plans whose objects are present on this node
     * @param firstBytes most bytes of objects that are to come
     */
    BundleRequest request(List<String> segments, List<String> have, long firstBytes);

    /** The plan whose top this is. */
    record OfChain(ChainId chain) implements PlanQuestion {
        @Override
        public String text() {
            return "the plan of chain " + chain;
        }

        @Override
        public boolean isForStart() {
            return true;
        }

        @Override
        public boolean wantsObjects() {
            return true;
        }

        @Override
        public boolean isAnsweredBy(StoredPlan plan) {
            return plan.layer(chain).isPresent();
        }

        @Override
        public boolean isForWhole(StoredPlan plan) {
            return plan.top().chainId().equals(chain);
        }

        @Override
        public BundleRequest request(List<String> segments, List<String> have, long firstBytes) {
            return bundle(chain.toString(), null, segments, have, firstBytes, Prefix.NEWEST);
        }
    }

    /** The newest plan that contains this chain, without objects. */
    record Newest(ChainId chain) implements PlanQuestion {
        @Override
        public String text() {
            return "a plan with chain " + chain;
        }

        @Override
        public boolean isForStart() {
            return true;
        }

        @Override
        public boolean wantsObjects() {
            return false;
        }

        @Override
        public boolean isAnsweredBy(StoredPlan plan) {
            return plan.layer(chain).isPresent();
        }

        @Override
        public boolean isForWhole(StoredPlan plan) {
            return false;
        }

        @Override
        public BundleRequest request(List<String> segments, List<String> have, long firstBytes) {
            return bundle(chain.toString(), null, segments, have, firstBytes, Prefix.NEWEST);
        }
    }

    /** The newest plan of the image with this manifest digest, or those of its layers that are planned. */
    record OfImage(Digest image) implements PlanQuestion {
        @Override
        public String text() {
            return "the plan of image " + image;
        }

        @Override
        public boolean isForStart() {
            return true;
        }

        @Override
        public boolean wantsObjects() {
            return true;
        }

        @Override
        public boolean isAnsweredBy(StoredPlan plan) {
            return plan.image().equals(image);
        }

        @Override
        public boolean isForWhole(StoredPlan plan) {
            return true;
        }

        @Override
        public BundleRequest request(List<String> segments, List<String> have, long firstBytes) {
            return bundle(null, image.toString(), segments, have, firstBytes, Prefix.CHAINS);
        }
    }

    /** The newest plan of the image with this manifest digest for the catalogue, without objects. */
    record ForCatalogue(Digest image) implements PlanQuestion {
        @Override
        public String text() {
            return "the plan of image " + image;
        }

        @Override
        public boolean isForStart() {
            return false;
        }

        @Override
        public boolean wantsObjects() {
            return false;
        }

        @Override
        public boolean isAnsweredBy(StoredPlan plan) {
            return plan.image().equals(image);
        }

        @Override
        public boolean isForWhole(StoredPlan plan) {
            return false;
        }

        @Override
        public BundleRequest request(List<String> segments, List<String> have, long firstBytes) {
            return bundle(null, image.toString(), segments, have, firstBytes, Prefix.CHAINS);
        }
    }

    private static BundleRequest bundle(
            @Nullable String chain,
            @Nullable String image,
            List<String> segments,
            List<String> have,
            long firstBytes,
            Prefix prefix) {
        return new BundleRequest(
                chain, image, null, segments, true, true, ObjectSet.STARTUP, have, firstBytes, prefix, null, 0);
    }
}
