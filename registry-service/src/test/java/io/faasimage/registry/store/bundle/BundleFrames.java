package io.faasimage.registry.store.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.registry.TestService;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanLayouts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A reader of bundles as in a node: every content that comes whole is unpacked and checked. */
public final class BundleFrames {
    private BundleFrames() {}

    /** The frames of a bundle, whose length is as announced. */
    public static List<Frame> read(TestService service, BundleRequest request) throws IOException {
        try (BundleStream answer = service.client().bundle(request)) {
            byte[] body = answer.body().readAllBytes();
            assertThat(answer.length()).isEqualTo(body.length);
            return read(body, plan(service, answer));
        }
    }

    private static Map<Digest, ObjectFrames> plan(TestService service, BundleStream answer) {
        Map<Digest, ObjectFrames> frames = new HashMap<>();
        answer.plan()
                .flatMap(digest -> service.part(PlanLayouts.class).find(Digest.parse(digest)))
                .map(PlanLayout::plan)
                .ifPresent(plan -> {
                    for (int i = 0; i < plan.startupCount(); i++) {
                        frames.put(
                                plan.objects().get(i).digest(),
                                plan.prefetch().get(i).frames());
                    }
                });
        return frames;
    }

    private static List<Frame> read(byte[] body, Map<Digest, ObjectFrames> known) throws IOException {
        BundleReader reader = new BundleReader(new ByteArrayInputStream(body));
        List<Frame> frames = new ArrayList<>();
        for (Optional<Frame> next = reader.next(); next.isPresent(); next = reader.next()) {
            Frame frame = next.get();
            frames.add(frame);
            switch (frame) {
                case Frame.ObjectFrame object
                when object.offset() > 0 ->
                    assertThat(object.payload().readAllBytes()).hasSize((int) (object.storedSize() - object.offset()));
                case Frame.ObjectFrame object ->
                    check(object.payload().readAllBytes(), object.rawSize(), object.digest());
                case Frame.FramesFrame some -> check(some, Objects.requireNonNull(known.get(some.digest())));
                case Frame.MetadataFrame metadata ->
                    check(metadata.payload().readAllBytes(), metadata.rawSize(), metadata.digest());
                case Frame.PlanFrame plan ->
                    assertThat(PlanCodec.digest(PlanCodec.decode(plan.encoded())))
                            .isEqualTo(plan.digest());
                case Frame.ErrorFrame error -> throw new AssertionError(error.message());
                case Frame.PlanDeltaFrame plan -> throw new AssertionError("nobody asked for a delta: " + plan);
                case Frame.MetadataDeltaFrame metadata ->
                    throw new AssertionError("nobody asked for a delta: " + metadata);
                case Frame.SelectedFrame _, Frame.ChainsFrame _ -> {}
                case Frame.EndFrame end -> assertThat(end.frames()).isEqualTo(frames.size() - 1L);
            }
        }
        assertThat(frames.getLast()).isInstanceOf(Frame.EndFrame.class);
        return frames;
    }

    private static void check(byte[] frame, long rawSize, Digest digest) {
        assertThat(Digest.of(Zstd.decompress(frame, (int) rawSize))).isEqualTo(digest);
    }

    private static void check(Frame.FramesFrame some, ObjectFrames known) throws IOException {
        byte[] stored = some.payload().readAllBytes();
        assertThat(stored).hasSize((int) some.storedSize());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int frame = some.first();
        for (int at = 0; at < stored.length; frame++) {
            byte[] bytes = Arrays.copyOfRange(stored, at, at + known.length(frame));
            assertThat(Digest.of(bytes)).isEqualTo(known.digest(frame));
            content.writeBytes(Zstd.decompress(bytes, known.contentBytes(frame)));
            at += bytes.length;
        }
        if (content.size() == known.size()) {
            assertThat(Digest.of(content.toByteArray())).isEqualTo(some.digest());
        }
    }

    /** The objects that a bundle brings, whole or some of their frames, in its order. */
    public static List<Digest> objects(List<Frame> frames) {
        return frames.stream()
                .flatMap(frame -> switch (frame) {
                    case Frame.ObjectFrame object -> Stream.of(object.digest());
                    case Frame.FramesFrame some -> Stream.of(some.digest());
                    default -> Stream.<Digest>empty();
                })
                .distinct()
                .toList();
    }

    /** The one frame of a type. */
    static <T extends Frame> T only(List<Frame> frames, Class<T> type) {
        List<T> found = frames.stream().filter(type::isInstance).map(type::cast).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
