package io.faasimage.node.containerd.image;

import containerd.services.namespaces.v1.NamespaceOuterClass.ListNamespacesRequest;
import containerd.services.namespaces.v1.NamespaceOuterClass.Namespace;
import containerd.services.namespaces.v1.NamespacesGrpc;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Calls to containerd, in one namespace and, where there is one, under one lease. Blocking; every call is bounded in
 * time. Thread-safe.
 */
final class ContainerdCalls {
    private static final Metadata.Key<String> NAMESPACE =
            Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> LEASE =
            Metadata.Key.of("containerd-lease", Metadata.ASCII_STRING_MARSHALLER);

    private final Channel channel;
    private final String socket;

    /** How long a call may take. */
    enum Limit {
        /** That reads or notes something. */
        USUAL(Duration.ofSeconds(60)),
        /** That moves the content of a layer. */
        CONTENT(Duration.ofMinutes(30));

        private final Duration duration;

        Limit(Duration duration) {
            this.duration = duration;
        }

        long seconds() {
            return duration.toSeconds();
        }
    }

    /** Calls in {@code namespace}, which write nothing that needs protection. */
    ContainerdCalls(ContainerdChannel connection, String namespace) {
        this(connection, inNamespace(namespace));
    }

    /** Calls in {@code namespace}; {@code lease} protects the content that they write. */
    ContainerdCalls(ContainerdChannel connection, String namespace, String lease) {
        this(connection, underLease(namespace, lease));
    }

    private ContainerdCalls(ContainerdChannel connection, Metadata headers) {
        this.channel =
                ClientInterceptors.intercept(connection.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
        this.socket = connection.socket().toString();
    }

    /** The namespaces of a containerd. */
    static List<String> namespaces(ContainerdChannel containerd) throws IOException {
        ContainerdCalls calls = new ContainerdCalls(containerd, "default");
        return calls
                .call(
                        "list namespaces",
                        () -> calls.stub(NamespacesGrpc::newBlockingStub, Limit.USUAL)
                                .list(ListNamespacesRequest.getDefaultInstance()))
                .getNamespacesList()
                .stream()
                .map(Namespace::getName)
                .toList();
    }

    /** The headers of calls that are about {@code namespace}. */
    static Metadata inNamespace(String namespace) {
        Metadata headers = new Metadata();
        headers.put(NAMESPACE, namespace);
        return headers;
    }

    private static Metadata underLease(String namespace, String lease) {
        Metadata headers = inNamespace(namespace);
        headers.put(LEASE, lease);
        return headers;
    }

    /** A stub for one call. */
    <S extends AbstractStub<S>> S stub(Function<Channel, S> service, Limit limit) {
        return service.apply(channel).withDeadlineAfter(limit.seconds(), TimeUnit.SECONDS);
    }

    /** One call. */
    @FunctionalInterface
    interface Call<T> {
        T send() throws StatusException;
    }

    /** The answer to {@code call}; {@code what} completes "could not ..." in the error. */
    <T> T call(String what, Call<T> call) throws IOException {
        try {
            return call.send();
        } catch (StatusException e) {
            throw failure(what, e.getStatus(), e);
        } catch (StatusRuntimeException e) {
            throw failure(what, e.getStatus(), e);
        }
    }

    private IOException failure(String what, Status status, Exception cause) {
        String remedy = status.getCode() == Status.Code.UNAVAILABLE ? "; is containerd running at " + socket + "?" : "";
        return new IOException(
                "could not " + what + ": containerd answered " + status.getCode() + " (" + status.getDescription() + ")"
                        + remedy,
                cause);
    }

    /** Like {@link #call}, but empty when containerd answers {@code expected}. */
    <T> Optional<T> unless(Status.Code expected, String what, Call<T> call) throws IOException {
        try {
            return Optional.of(call.send());
        } catch (StatusException e) {
            if (e.getStatus().getCode() == expected) {
                return Optional.empty();
            }
            throw failure(what, e.getStatus(), e);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == expected) {
                return Optional.empty();
            }
            throw failure(what, e.getStatus(), e);
        }
    }
}
