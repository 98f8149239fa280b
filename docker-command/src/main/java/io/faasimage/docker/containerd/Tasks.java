package io.faasimage.docker.containerd;

import containerd.services.tasks.v1.TasksGrpc;
import containerd.services.tasks.v1.TasksOuterClass.CreateTaskRequest;
import containerd.services.tasks.v1.TasksOuterClass.DeleteTaskRequest;
import containerd.services.tasks.v1.TasksOuterClass.GetRequest;
import containerd.services.tasks.v1.TasksOuterClass.KillRequest;
import containerd.services.tasks.v1.TasksOuterClass.ListTasksRequest;
import containerd.services.tasks.v1.TasksOuterClass.PauseTaskRequest;
import containerd.services.tasks.v1.TasksOuterClass.ResumeTaskRequest;
import containerd.services.tasks.v1.TasksOuterClass.StartRequest;
import containerd.services.tasks.v1.TasksOuterClass.WaitRequest;
import containerd.types.MountOuterClass.Mount;
import containerd.v1.types.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The running sides of containers. Thread-safe; every call is bounded in time. */
public final class Tasks {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SIGKILL = 9;

    private final ContainerdChannel containerd;

    /** Tasks in the channel's namespace. */
    public Tasks(ContainerdChannel containerd) {
        this.containerd = containerd;
    }

    private TasksGrpc.TasksBlockingStub stub() {
        return TasksGrpc.newBlockingStub(containerd.channel()).withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * Makes the container's process, which waits to be started.
     *
     * @return its pid
     */
    public int create(String id, List<Mount> root, Path stdout, Path stderr) throws ContainerdException {
        CreateTaskRequest request = CreateTaskRequest.newBuilder()
                .setContainerId(id)
                .addAllRootfs(root)
                .setStdout(stdout.toString())
                .setStderr(stderr.toString())
                .build();
        return containerd
                .call("create task for container " + id, () -> stub().create(request))
                .getPid();
    }

    /** Starts the process. */
    public void start(String id) throws ContainerdException {
        containerd.call(
                "start container " + id,
                () -> stub().start(StartRequest.newBuilder().setContainerId(id).build()));
    }

    /** Stops all processes where they are. */
    public void pause(String id) throws ContainerdException {
        containerd.call(
                "pause container " + id,
                () -> stub().pause(
                                PauseTaskRequest.newBuilder().setContainerId(id).build()));
    }

    /** Lets them go on. */
    public void resume(String id) throws ContainerdException {
        containerd.call(
                "unpause container " + id,
                () -> stub().resume(ResumeTaskRequest.newBuilder()
                        .setContainerId(id)
                        .build()));
    }

    /** Ends all processes, when there are any. */
    public void kill(String id) throws ContainerdException {
        KillRequest request = KillRequest.newBuilder()
                .setContainerId(id)
                .setSignal(SIGKILL)
                .setAll(true)
                .build();
        containerd.find("kill container " + id, () -> stub().kill(request));
    }

    /** Waits until the process has ended; at once when there is none. */
    public void awaitExit(String id) throws ContainerdException {
        containerd.find(
                "wait for the end of container " + id,
                () -> stub().wait(WaitRequest.newBuilder().setContainerId(id).build()));
    }

    /** Removes an ended process, when it is there. */
    public void delete(String id) throws ContainerdException {
        containerd.find(
                "delete the task of container " + id,
                () -> stub().delete(DeleteTaskRequest.newBuilder()
                        .setContainerId(id)
                        .build()));
    }

    /** The process of a container; empty when it has none. */
    public Optional<Task.Process> get(String id) throws ContainerdException {
        return containerd
                .find(
                        "look up the task of container " + id,
                        () -> stub().get(GetRequest.newBuilder()
                                .setContainerId(id)
                                .build()))
                .map(answer -> answer.getProcess());
    }

    /** All processes. */
    public List<Task.Process> list() throws ContainerdException {
        return containerd
                .call("list tasks", () -> stub().list(ListTasksRequest.getDefaultInstance()))
                .getTasksList();
    }
}
