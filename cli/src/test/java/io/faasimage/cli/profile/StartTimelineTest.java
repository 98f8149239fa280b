package io.faasimage.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StartTimelineTest {
    /** A start in which each program works for a while; times are seconds with six digits, from 100.000000 on. */
    private static final String START = """
            # tracer: nop
                  containerd-10  [000] ..... 100.000100: sys_futex -> 0x0
                  containerd-10  [000] ..... 100.000200: sys_write(fd: b, buf: c0, count: f)
                  containerd-10  [000] ..... 100.000300: sys_write -> 0xf
                  containerd-10  [000] ..... 100.000400: sched_process_fork: comm=containerd pid=10 child_comm=containerd child_pid=11
                  containerd-10  [000] d..2. 100.000400: sched_switch: prev_comm=containerd prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=containerd next_pid=11 next_prio=120
             containerd-shim-11  [001] ..... 100.000500: sched_process_exec: filename=/usr/bin/containerd-shim-runc-v2 pid=11 old_pid=11
             containerd-shim-11  [001] ..... 100.000600: sched_process_fork: comm=containerd-shim pid=11 child_comm=containerd-shim child_pid=12
             containerd-shim-11  [001] d..2. 100.000600: sched_switch: prev_comm=containerd-shim prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=containerd-shim next_pid=12 next_prio=120
                        runc-12  [001] ..... 100.000600: sched_process_exec: filename=/usr/sbin/runc pid=12 old_pid=12
                        runc-12  [001] ..... 100.000700: sys_write(fd: 5, buf: c0, count: 4)
                        runc-12  [001] d..2. 100.000800: sched_switch: prev_comm=runc prev_pid=12 prev_prio=120 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
                        runc-12  [001] d..2. 100.000800: <stack trace>
             => __schedule
             => synchronize_rcu_normal
             => cgroup_procs_write_start
                      <idle>-0   [001] d..2. 100.010800: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=runc next_pid=12 next_prio=120
                        runc-12  [001] ..... 100.010800: cgroup_attach_task: dst_root=3 dst_id=9 dst_level=1 dst_path=/a pid=13 comm=runc
                        runc-12  [001] ..... 100.010900: sys_write -> 0x4
                        runc-12  [001] ..... 100.010900: sched_process_fork: comm=runc pid=12 child_comm=runc child_pid=13
                        runc-12  [001] d..2. 100.010900: sched_switch: prev_comm=runc prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=runc next_pid=13 next_prio=120
             runc:[0:PARENT]-13  [001] ..... 100.010900: sched_process_exec: filename=/proc/self/exe pid=13 old_pid=13
             runc:[0:PARENT]-13  [001] ..... 100.011000: sys_mount(dev_name: c0, dir_name: c1, type: 0, flags: 1000, data: 0)
             runc:[0:PARENT]-13  [001] ..... 100.011500: sys_mount -> 0x0
             runc:[0:PARENT]-13  [001] d..2. 100.011500: sched_switch: prev_comm=runc prev_pid=13 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                      <idle>-0   [001] d..2. 100.012500: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=runc next_pid=13 next_prio=120
             runc:[2:INIT]-13    [001] ..... 100.012600: sched_process_exec: filename=/bin/sh pid=13 old_pid=13
                          sh-13  [001] ..... 100.012700: sys_openat(dfd: 0, filename: 0, flags: 0, mode: 0)
            """;

    private static final long BEGIN = 100_000_000;

    private static Optional<StartProfile> profile(String trace) throws IOException {
        List<TraceEvent> events = TraceParser.parse(new BufferedReader(new StringReader(trace)));
        return StartTimeline.profile(events, BEGIN);
    }

    @Test
    void eachMicrosecondCountsOnceForTheInnermostProgram() throws IOException {
        StartProfile profile = profile(START).orElseThrow();
        assertThat(profile.micros()).isEqualTo(12_600);
        assertThat(profile.parts())
                .isEqualTo(Map.of(
                        // Before containerd's first event, and while the container's process sleeps.
                        Part.CLIENT,
                        Map.of(Category.SYNCHRONISATION, 1_100L),
                        Part.CONTAINERD,
                        Map.of(Category.PLATFORM, 300L, Category.CONFIGURATION, 100L),
                        Part.SHIM,
                        Map.of(Category.PLATFORM, 100L),
                        // The write joins a cgroup, which is known at its end.
                        Part.RUNTIME,
                        Map.of(Category.PLATFORM, 100L, Category.CGROUPS, 10_200L),
                        Part.INIT,
                        Map.of(Category.PLATFORM, 200L, Category.MOUNTS, 500L)));
        assertThat(profile.waits()).isEqualTo(Map.of(WaitReason.RCU, 10_000L));
    }

    @Test
    void aStartWhoseProgramHasNotBegunHasNoProfile() throws IOException {
        assertThat(profile(START.substring(0, START.indexOf("filename=/bin/sh"))))
                .isEmpty();
    }

    @Test
    void aThreadThatCouldRunWaitsForAProcessor() throws IOException {
        String preempted =
                START.replace("prev_state=S ==> next_comm=swapper/1", "prev_state=R+ ==> next_comm=swapper/1");
        StartProfile profile = profile(preempted).orElseThrow();
        assertThat(profile.waits()).containsEntry(WaitReason.PROCESSOR, 1_000L);
        assertThat(profile.parts().get(Part.CLIENT)).isEqualTo(Map.of(Category.SYNCHRONISATION, 100L));
    }

    @Test
    void aTraceWithGapsIsRefused() {
        assertThatThrownBy(() -> profile("CPU:1 [LOST 12 EVENTS]\n" + START)).hasMessageContaining("dropped");
    }

    @Test
    void waitsAreNamedByTheFunctionsOnTheStack() {
        assertThat(WaitReason.of(List.of("io_schedule", "ext4_sync_file", "do_fsync")))
                .isEqualTo(WaitReason.SYNC);
        assertThat(WaitReason.of(List.of("io_schedule", "filemap_fault"))).isEqualTo(WaitReason.DISK);
        assertThat(WaitReason.of(List.of("rwsem_down_read_slowpath", "exc_page_fault")))
                .isEqualTo(WaitReason.LOCK);
        assertThat(WaitReason.of(List.of("begin_new_exec"))).isEqualTo(WaitReason.OTHER);
    }

    @Test
    void severalStartsHaveAMeanAndADeviation() {
        List<StartProfile> two = List.of(
                new StartProfile(10_000, Map.of(Part.SHIM, Map.of(Category.PLATFORM, 10_000L)), Map.of()),
                new StartProfile(14_000, Map.of(Part.SHIM, Map.of(Category.PLATFORM, 14_000L)), Map.of()));
        ProfileSummary summary = ProfileSummary.of("image", two);
        assertThat(summary.total().mean()).isEqualTo(12);
        assertThat(summary.total().deviation()).isEqualTo(Math.sqrt(8));
        assertThat(summary.parts()).containsOnlyKeys(Part.SHIM);
        assertThat(summary.waits()).isEmpty();
    }
}
