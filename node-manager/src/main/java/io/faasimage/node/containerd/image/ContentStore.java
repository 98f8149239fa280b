package io.faasimage.node.containerd.image;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.AbortRequest;
import containerd.services.content.v1.ContentOuterClass.Info;
import containerd.services.content.v1.ContentOuterClass.InfoRequest;
import containerd.services.content.v1.ContentOuterClass.UpdateRequest;
import containerd.services.content.v1.ContentOuterClass.WriteAction;
import containerd.services.content.v1.ContentOuterClass.WriteContentRequest;
import containerd.services.content.v1.ContentOuterClass.WriteContentResponse;
import io.faasimage.format.id.Digest;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** containerd's content store, as a pull writes it: documents and layers, with their labels. */
final class ContentStore {
    private static final int CHUNK_BYTES = 1 << 20;

    private final ContainerdCalls calls;
    private final String refs;

    /** {@code refs} is the prefix of the names of unfinished content; each pull has its own. */
    ContentStore(ContainerdCalls calls, String refs) {
        this.calls = calls;
        this.refs = refs;
    }

    private ContentGrpc.ContentBlockingStub content() {
        return calls.stub(ContentGrpc::newBlockingStub, Limit.USUAL);
    }

    /** Whether the content store has this, in the namespace. */
    boolean holds(Descriptor descriptor) throws IOException {
        return calls.unless(
                        Status.Code.NOT_FOUND,
                        "look up " + descriptor.digest(),
                        () -> content()
                                .info(InfoRequest.newBuilder()
                                        .setDigest(descriptor.digest().toString())
                                        .build()))
                .isPresent();
    }

    /** Writes content, unless it is there, and sets its labels; containerd verifies size and digest. */
    void write(Descriptor descriptor, InputStream content, Map<String, String> labels) throws IOException {
        String ref = refs + "-" + descriptor.digest().hex();
        Optional<Digest> written = calls.unless(
                Status.Code.ALREADY_EXISTS,
                "store " + descriptor.digest(),
                () -> send(ref, descriptor, content, labels));
        if (written.isEmpty() && !labels.isEmpty()) {
            relabel(descriptor.digest(), labels);
        }
    }

    private Digest send(String ref, Descriptor descriptor, InputStream content, Map<String, String> labels)
            throws StatusException {
        BlockingClientCall<WriteContentRequest, WriteContentResponse> call =
                calls.stub(ContentGrpc::newBlockingV2Stub, Limit.CONTENT).write();
        boolean done = false;
        try {
            long offset = 0;
            byte[] buffer = new byte[(int) Math.min(CHUNK_BYTES, Math.max(1, descriptor.size()))];
            for (int n = content.readNBytes(buffer, 0, buffer.length); ; ) {
                boolean last = n < buffer.length || offset + n >= descriptor.size();
                WriteContentRequest.Builder message = WriteContentRequest.newBuilder()
                        .setAction(last ? WriteAction.COMMIT : WriteAction.WRITE)
                        .setRef(ref)
                        .setTotal(descriptor.size())
                        .setExpected(descriptor.digest().toString())
                        .setOffset(offset)
                        .setData(ByteString.copyFrom(buffer, 0, n));
                exchange(call, last ? message.putAllLabels(labels).build() : message.build());
                if (last) {
                    done = true;
                    return descriptor.digest();
                }
                offset += n;
                n = content.readNBytes(buffer, 0, buffer.length);
            }
        } catch (IOException e) {
            throw Status.ABORTED.withDescription(e.getMessage()).withCause(e).asException();
        } finally {
            call.halfClose();
            if (!done) {
                call.cancel("not finished", null);
                abort(ref);
            }
        }
    }

    private static void exchange(
            BlockingClientCall<WriteContentRequest, WriteContentResponse> call, WriteContentRequest message)
            throws StatusException, InterruptedIOException {
        try {
            call.write(message, Limit.USUAL.seconds(), TimeUnit.SECONDS);
            call.read(Limit.USUAL.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while content was stored");
        } catch (TimeoutException e) {
            throw Status.DEADLINE_EXCEEDED
                    .withDescription("containerd did not accept the content in time")
                    .asException();
        }
    }

    private void abort(String ref) {
        try {
            content().abort(AbortRequest.newBuilder().setRef(ref).build());
        } catch (StatusRuntimeException e) {
            // There was nothing to abort, or containerd collects it with the lease.
            return;
        }
    }

    private void relabel(Digest digest, Map<String, String> labels) throws IOException {
        FieldMask.Builder mask = FieldMask.newBuilder();
        labels.keySet().forEach(key -> mask.addPaths("labels." + key));
        UpdateRequest request = UpdateRequest.newBuilder()
                .setInfo(Info.newBuilder().setDigest(digest.toString()).putAllLabels(labels))
                .setUpdateMask(mask)
                .build();
        calls.call("label " + digest, () -> content().update(request));
    }
}
