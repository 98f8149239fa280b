package io.faasimage.registry.images.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.RegistryLogins;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageConfig;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored objects of a service that a child looks into, over pipes. */
@Timeout(60)
class ServiceLinkTest {
    private static final int FIRST = ServiceLink.READ_BYTES;

    private static final ChildOrder ORDER = order("registry.test/image:1", "/nowhere", 1);

    /** An order for an image that no registry has. */
    static ChildOrder order(String reference, String work, int attempts) {
        Digest digest = Digest.of(new byte[0]);
        SourceOptions options = SourceOptions.defaults();
        return new ChildOrder(
                new ResolvedImage(
                        ImageLocation.parse(reference),
                        Platform.host(),
                        digest,
                        Optional.empty(),
                        digest,
                        List.of(new LayerDescriptor(digest, 1, "layer")),
                        List.of(digest),
                        ChainId.ofLayers(List.of(digest)),
                        new ImageConfig(List.of("A=1"), Map.of(), List.of(), List.of("/bin/sh"), List.of(), "/", "")),
                Optional.of(new RegistryLogins.Login("name", "password")),
                HostRules.OPEN,
                options.budget(),
                attempts,
                Path.of(work),
                Optional.of(new ChildOrder.Forecast(Optional.empty(), false)),
                Map.of("a", "b"));
    }

    private final Stored stored = new Stored();

    private interface Use {
        void of(ServiceLink holdings) throws IOException;
    }

    /**
     * Runs a child's part; the service's runs on another thread and has ended without a failure after it. The pipes
     * stay open: a child ends its process when the service is gone.
     */
    private void inChild(Use use) throws Exception {
        Pipe toChild = Pipe.open();
        Pipe toService = Pipe.open();
        ChildPipe service =
                new ChildPipe(Channels.newInputStream(toService.source()), Channels.newOutputStream(toChild.sink()));
        ChildPipe child =
                new ChildPipe(Channels.newInputStream(toChild.source()), Channels.newOutputStream(toService.sink()));
        FutureTask<Optional<Boolean>> talk = talk(service);
        ServiceLink link = new ServiceLink(child);
        assertThat(link.order()).isEqualTo(ORDER);
        use.of(link);
        link.tell(new ChildRequest.Ended(true));
        assertThat(talk.get()).contains(true);
        assertThat(stored.open).as("streams that are still open").hasValue(0);
    }

    private FutureTask<Optional<Boolean>> talk(ChildPipe service) {
        FutureTask<Optional<Boolean>> talk = new FutureTask<>(() -> {
            try (ChildConversation conversation =
                    new ChildConversation(service, stored, _ -> Optional.empty(), ProgressListener.NONE)) {
                return conversation.run(ORDER);
            }
        });
        Thread.ofPlatform().daemon().name("talk").start(talk);
        return talk;
    }

    @Test
    void manyBytesAreLeftOutWithSeveralQuestions() throws Exception {
        Digest digest = stored.add(18 << 20);
        byte[] content = stored.contents.get(digest);
        inChild(holdings -> {
            try (InputStream in = holdings.open(digest)) {
                in.skipNBytes(17 << 20);
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 17 << 20, 18 << 20));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, FIRST - 1, FIRST, FIRST + 1, 5 * FIRST + 7})
    void anObjectOfAnySizeIsReadWhole(int size) throws Exception {
        Digest digest = stored.add(size);
        inChild(holdings -> {
            try (InputStream in = holdings.open(digest)) {
                assertThat(Digest.of(in.readAllBytes())).isEqualTo(digest);
                assertThat(in.read()).isEqualTo(-1);
            }
        });
    }

    @Test
    void aLargeObjectIsReadFromTheMiddleAndLeft() throws Exception {
        Digest digest = stored.add(10 * FIRST);
        byte[] content = stored.contents.get(digest);
        inChild(holdings -> {
            try (InputStream in = holdings.open(digest)) {
                in.skipNBytes(4 * FIRST + 3);
                assertThat(in.readNBytes(5)).isEqualTo(Arrays.copyOfRange(content, 4 * FIRST + 3, 4 * FIRST + 8));
                assertThat(stored.read).as("what is skipped is not sent").hasValueLessThanOrEqualTo(2 * FIRST);
            }
        });
    }

    @Test
    void aContentIsVerified() throws Exception {
        Digest right = stored.add(100);
        Digest long_ = stored.add(2 * FIRST);
        Digest damaged = stored.add(200);
        stored.contents.put(damaged, new byte[200]);
        inChild(holdings -> {
            assertThat(Digest.of(holdings.content(right))).isEqualTo(right);
            assertThat(Digest.of(holdings.content(long_))).isEqualTo(long_);
            assertThatThrownBy(() -> holdings.content(damaged))
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                    .hasMessage("damaged");
            assertThat(Digest.of(holdings.content(right))).isEqualTo(right);
        });
    }

    @Test
    void twoObjectsAreReadInTurns() throws Exception {
        Digest one = stored.add(3 * FIRST);
        Digest other = stored.add(2 * FIRST + 1);
        inChild(holdings -> {
            try (InputStream first = holdings.open(one);
                    InputStream second = holdings.open(other)) {
                byte[] head = first.readNBytes(FIRST + 1);
                assertThat(Digest.of(second.readAllBytes())).isEqualTo(other);
                byte[] all = Arrays.copyOf(head, 3 * FIRST);
                assertThat(first.readNBytes(all, head.length, all.length - head.length))
                        .isEqualTo(2 * FIRST - 1);
                assertThat(Digest.of(all)).isEqualTo(one);
            }
        });
    }

    @Test
    void whatIsStoredIsAnsweredInOrder() throws Exception {
        Digest one = stored.add(1);
        Digest two = stored.add(2);
        Digest other = Digest.of(new byte[] {9});
        inChild(holdings -> {
            assertThat(holdings.held(List.of(other, one, two))).containsExactlyInAnyOrder(one, two);
            assertThat(holdings.holdsMetadata(one)).isFalse();
        });
    }

    @Test
    void framesComeWithAsManyAnswersAsTheyNeed() throws Exception {
        Digest small = stored.add(1);
        Digest large = stored.add(2);
        Digest other = Digest.of(new byte[] {9});
        stored.frames.put(small, frames(1));
        stored.frames.put(large, frames(70_000));
        Digest larger = stored.add(3);
        stored.frames.put(larger, frames(70_001));
        inChild(holdings -> assertThat(holdings.frames(List.of(large, other, larger, small)))
                .isEqualTo(stored.frames));
    }

    private static ObjectFrames frames(int count) {
        return ObjectFrames.of(
                (long) count * ObjectFrames.CONTENT_BYTES,
                Collections.nCopies(
                        count,
                        new ObjectFrames.Frame(1 + count % 1000, ORDER.image().manifest())));
    }

    @Test
    void whatCannotBeReadIsAFailureEachTime() throws Exception {
        Digest digest = stored.add(100);
        stored.broken = true;
        inChild(holdings -> {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> holdings.open(digest).read())
                        .isInstanceOfSatisfying(
                                RefactorException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                        .hasMessage("damaged");
            }
        });
    }

    @Test
    void garbageEndsTheConversation() throws Exception {
        Pipe toChild = Pipe.open();
        Pipe toService = Pipe.open();
        FutureTask<Optional<Boolean>> talk = talk(
                new ChildPipe(Channels.newInputStream(toService.source()), Channels.newOutputStream(toChild.sink())));
        Channels.newOutputStream(toService.sink()).write("Exception in thread main".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(talk::get).hasCauseInstanceOf(IOException.class).hasMessageContaining("is none");
    }

    /** Contents in memory, with a list of those that were opened. */
    private static final class Stored implements Holdings {
        final Map<Digest, byte[]> contents = new ConcurrentHashMap<>();
        final Map<Digest, ObjectFrames> frames = new ConcurrentHashMap<>();
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger read = new AtomicInteger();
        volatile boolean broken;

        Digest add(int size) {
            byte[] content = new byte[size];
            new Random(size).nextBytes(content);
            Digest digest = Digest.of(content);
            contents.put(digest, content);
            return digest;
        }

        @Override
        public InputStream open(Digest digest) {
            open.incrementAndGet();
            return new FilterInputStream(new ByteArrayInputStream(content(digest))) {
                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    if (broken) {
                        throw new RefactorException(Kind.UNAVAILABLE, "damaged");
                    }
                    int some = in.read(target, offset, length);
                    read.addAndGet(some);
                    return some;
                }

                @Override
                public void close() {
                    open.decrementAndGet();
                }
            };
        }

        @Override
        public byte[] content(Digest digest) {
            return Objects.requireNonNull(contents.get(digest));
        }

        /** As the service does, for an object whose bytes are wrong. */
        @Override
        public void copy(Digest digest, OutputStream out) throws IOException {
            throw new RefactorException(Kind.UNAVAILABLE, "damaged");
        }

        @Override
        public Map<Digest, ObjectFrames> frames(Collection<Digest> digests) {
            Map<Digest, ObjectFrames> found = new HashMap<>(frames);
            found.keySet().retainAll(digests);
            return found;
        }

        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            return digests.stream().filter(contents::containsKey).collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    }
}
