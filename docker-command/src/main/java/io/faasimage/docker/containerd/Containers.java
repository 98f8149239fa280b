package io.faasimage.docker.containerd;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import containerd.services.containers.v1.ContainersGrpc;
import containerd.services.containers.v1.ContainersOuterClass.Container;
import containerd.services.containers.v1.ContainersOuterClass.CreateContainerRequest;
import containerd.services.containers.v1.ContainersOuterClass.DeleteContainerRequest;
import containerd.services.containers.v1.ContainersOuterClass.GetContainerRequest;
import containerd.services.containers.v1.ContainersOuterClass.ListContainersRequest;
import containerd.services.containers.v1.ContainersOuterClass.UpdateContainerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** containerd's container records. Thread-safe; every call is bounded in time. */
public final class Containers {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String SPEC_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/Spec";

    private final ContainerdChannel containerd;

    /** Records in the channel's namespace. */
    public Containers(ContainerdChannel containerd) {
        this.containerd = containerd;
    }

    private ContainersGrpc.ContainersBlockingStub stub() {
        return ContainersGrpc.newBlockingStub(containerd.channel())
                .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** An OCI runtime specification as records hold it. */
    public static Any spec(byte[] json) {
        return Any.newBuilder()
                .setTypeUrl(SPEC_TYPE)
                .setValue(ByteString.copyFrom(json))
                .build();
    }

    /** Makes a record. */
    public void create(Container container) throws ContainerdException {
        containerd.call(
                "create container " + container.getId(),
                () -> stub().create(CreateContainerRequest.newBuilder()
                        .setContainer(container)
                        .build()));
    }

    /** The record of an ID. */
    public Optional<Container> get(String id) throws ContainerdException {
        return containerd
                .find(
                        "look up container " + id,
                        () -> stub().get(GetContainerRequest.newBuilder()
                                .setId(id)
                                .build()))
                .map(answer -> answer.getContainer());
    }

    /** All records. */
    public List<Container> list() throws ContainerdException {
        return list(ListContainersRequest.getDefaultInstance());
    }

    /**
     * The records that have a label.
     *
     * @param value of letters, digits and {@code _.-}
     */
    public List<Container> labelled(String label, String value) throws ContainerdException {
        if (!value.matches("[A-Za-z0-9_.-]+")) {
            return List.of();
        }
        String filter = "labels.\"" + label + "\"==\"" + value + "\"";
        return list(ListContainersRequest.newBuilder().addFilters(filter).build());
    }

    private List<Container> list(ListContainersRequest request) throws ContainerdException {
        return containerd.call("list containers", () -> stub().list(request)).getContainersList();
    }

    /** Adds labels to a record, or changes them. */
    public void label(String id, Map<String, String> labels) throws ContainerdException {
        FieldMask.Builder mask = FieldMask.newBuilder();
        labels.keySet().forEach(key -> mask.addPaths("labels." + key));
        update("label container " + id, Container.newBuilder().setId(id).putAllLabels(labels), mask.build());
    }

    private void update(String what, Container.Builder container, FieldMask mask) throws ContainerdException {
        containerd.call(
                what,
                () -> stub().update(UpdateContainerRequest.newBuilder()
                        .setContainer(container)
                        .setUpdateMask(mask)
                        .build()));
    }

    /** Replaces the specification. */
    public void setSpec(String id, Any spec) throws ContainerdException {
        update(
                "set the specification of container " + id,
                Container.newBuilder().setId(id).setSpec(spec),
                FieldMask.newBuilder().addPaths("spec").build());
    }

    /** Removes a record, when it is there. */
    public void delete(String id) throws ContainerdException {
        containerd.find(
                "remove container " + id,
                () -> stub().delete(
                                DeleteContainerRequest.newBuilder().setId(id).build()));
    }
}
