package io.faasimage.node.containerd.image;

import containerd.services.leases.v1.LeasesGrpc;
import containerd.services.leases.v1.LeasesOuterClass;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease in containerd, which protects the content that a pull writes from the garbage collector until {@link #close}.
 * Used by one thread.
 */
final class PullLease implements AutoCloseable {
    private static final Duration LIFE = Duration.ofHours(2);

    private final Leases leases;
    private final String namespace;
    private final String id;
    private final ContainerdCalls calls;

    private PullLease(ContainerdChannel connection, String namespace, Leases leases) {
        this.leases = leases;
        this.namespace = namespace;
        this.id = leases.begin();
        this.calls = new ContainerdCalls(connection, namespace, id);
    }

    /** Takes a lease in {@code namespace}, and releases those that earlier pulls have left there. */
    static PullLease take(ContainerdChannel connection, String namespace, Leases leases) throws IOException {
        PullLease lease = new PullLease(connection, namespace, leases);
        try {
            lease.create();
        } catch (IOException e) {
            leases.end(lease.id);
            throw e;
        }
        if (leases.claimCleaning(namespace)) {
            lease.releaseLeft();
        }
        return lease;
    }

    private void create() throws IOException {
        calls.call(
                "take a lease",
                () -> leasing()
                        .create(LeasesOuterClass.CreateRequest.newBuilder()
                                .setId(id)
                                .putLabels(
                                        "containerd.io/gc.expire",
                                        Instant.now().plus(LIFE).toString())
                                .build()));
    }

    /** Its name; no other lease has it. */
    String id() {
        return id;
    }

    /** Calls under this lease. */
    ContainerdCalls calls() {
        return calls;
    }

    private LeasesGrpc.LeasesBlockingStub leasing() {
        return calls.stub(LeasesGrpc::newBlockingStub, Limit.USUAL);
    }

    /** Releases as many as possible: the next pull tries again. */
    private void releaseLeft() {
        try {
            LeasesOuterClass.ListResponse all =
                    calls.call("list leases", () -> leasing().list(LeasesOuterClass.ListRequest.getDefaultInstance()));
            for (LeasesOuterClass.Lease left : all.getLeasesList()) {
                if (leases.isLeft(left.getId())) {
                    release(left.getId());
                }
            }
        } catch (IOException e) {
            leases.unclean(namespace);
        }
    }

    /** Releases the lease; after a failure a later pull does, or the lease expires. */
    @Override
    public void close() throws IOException {
        leases.end(id);
        try {
            release(id);
        } catch (IOException e) {
            leases.unclean(namespace);
            throw e;
        }
    }

    private void release(String lease) throws IOException {
        calls.unless(
                Status.Code.NOT_FOUND,
                "release a lease",
                () -> leasing()
                        .delete(LeasesOuterClass.DeleteRequest.newBuilder()
                                .setId(lease)
                                .build()));
    }
}
