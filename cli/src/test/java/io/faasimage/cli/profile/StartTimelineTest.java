package io.faasimage.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StartTimelineTest {
    /** A start in which each program works for a while; times are seconds with six digits, from 100.000000 on. */
    private static final String START = sample();

    private static final long BEGIN = 100_000_000;

    private static String sample() {
        try (InputStream in = Objects.requireNonNull(StartTimelineTest.class.getResourceAsStream("start.trace"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
    void aTraceWithGapsIsRefused() throws IOException {
        assertThatThrownBy(() -> profile("CPU:1 [LOST 12 EVENTS]\n" + START)).hasMessageContaining("dropped");
        assertThatThrownBy(() -> profile("# entries-in-buffer/entries-written: 19461/19473   #P:2\n" + START))
                .hasMessageContaining("19461/19473");
        assertThat(profile("# entries-in-buffer/entries-written: 19461/19461   #P:2\n" + START))
                .isPresent();
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
