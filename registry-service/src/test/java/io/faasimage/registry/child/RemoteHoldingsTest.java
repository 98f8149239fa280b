package io.faasimage.registry.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.SourceOptions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.Arrays;
import java.util.Collection;
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
class RemoteHoldingsTest {
    private static final int FIRST = ChildConversation.FIRST_BYTES;

    private static final ChildOrder ORDER = new ChildOrder(
            "registry.test/image:1",
            Digest.of(new byte[0]),
            Optional.empty(),
            SourceOptions.defaults().rules(),
            SourceOptions.defaults().budget(),
            1,
            "/nowhere",
            false,
            Optional.empty(),
            Map.of());

    private final Stored stored = new Stored();

    private interface Use {
        void of(RemoteHoldings holdings) throws IOException;
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
        use.of(new RemoteHoldings(link, new SmallContents(1 << 20)));
        assertThat(stored.open).as("streams that are still open").hasValue(0);
        link.tell(new ChildRequest.Ended(true));
        assertThat(talk.get()).contains(true);
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
    void aVerificationEndsWhenTheChildIsGone() throws Exception {
        Pipe toChild = Pipe.open();
        Pipe toService = Pipe.open();
        ChildPipe child =
                new ChildPipe(Channels.newInputStream(toChild.source()), Channels.newOutputStream(toService.sink()));
        FutureTask<Optional<Boolean>> talk = talk(
                new ChildPipe(Channels.newInputStream(toService.source()), Channels.newOutputStream(toChild.sink())));
        assertThat(child.receive(ChildAnswer.class)).isPresent();
        Digest digest = stored.add(1 << 20);
        stored.endless = true;
        child.send(ChildRequest.class, new ChildRequest.Verify(digest));
        toChild.source().close();
        assertThat(talk.get()).isEmpty();
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
    void theServiceVerifiesAnObject() throws Exception {
        Digest right = stored.add(100);
        Digest damaged = stored.add(200);
        stored.contents.put(damaged, new byte[200]);
        stored.verifies = true;
        inChild(holdings -> {
            holdings.verify(right);
            assertThatThrownBy(() -> holdings.verify(damaged))
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                    .hasMessage("damaged");
        });
    }

    @Test
    void aContentIsNotAskedForAgain() throws Exception {
        Digest digest = stored.add(100);
        inChild(holdings -> {
            byte[] content = holdings.content(digest);
            assertThat(Digest.of(content)).isEqualTo(digest);
            stored.contents.remove(digest);
            assertThat(holdings.content(digest)).isEqualTo(content);
        });
    }

    @Test
    void damagedBytesAreNotCached() throws Exception {
        Digest digest = stored.add(100);
        byte[] right = stored.contents.get(digest);
        stored.contents.put(digest, new byte[100]);
        inChild(holdings -> {
            assertThat(holdings.content(digest)).containsOnly(0);
            stored.contents.put(digest, right);
            assertThat(holdings.content(digest)).isEqualTo(right);
        });
    }

    @Test
    void whatCannotBeReadIsAFailureAndStaysNotOpen() throws Exception {
        Digest digest = stored.add(100);
        stored.broken = true;
        inChild(holdings -> {
            // More than may be open at the same time.
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> holdings.open(digest))
                        .isInstanceOfSatisfying(
                                RefactorException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                        .hasMessage("damaged");
            }
        });
    }

    /** Contents in memory, with a list of those that were opened. */
    private static final class Stored implements Holdings {
        final Map<Digest, byte[]> contents = new ConcurrentHashMap<>();
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger read = new AtomicInteger();
        volatile boolean broken;
        volatile boolean endless;
        volatile boolean verifies;

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

        @Override
        public void copy(Digest digest, OutputStream out) throws IOException {
            do {
                out.write(content(digest));
            } while (endless);
            if (verifies && !Digest.of(content(digest)).equals(digest)) {
                throw new RefactorException(Kind.UNAVAILABLE, "damaged");
            }
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
