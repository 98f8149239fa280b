package io.faasimage.fuzz;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.erofs.ErofsView;
import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.erofs.PackImage;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.statement.LayerStatement;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.tree.FileTree;
import io.faasimage.gate.lookup.GatePath;
import io.faasimage.gate.protocol.Request;
import io.faasimage.layer.LayerFiles;
import io.faasimage.node.containerd.snapshot.SnapshotTexts;
import io.faasimage.refactor.image.Documents;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.layer.LayerIndexCodec;
import io.faasimage.refactor.pack.PackReader;
import io.faasimage.store.ObjectNames;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;

/** A parser under test. Inputs of formats with a checksum get a right one, which would stop most mutations. */
enum Target {
    TAR {
        @Override
        void parse(byte[] input) throws IOException {
            try {
                LayerFiles.read(
                        new ByteArrayInputStream(input),
                        "layer",
                        1 << 24,
                        (size, content) -> content.readNBytes((int) Math.min(size, 1 << 16)).length >= 0);
            } catch (IOException e) {
                // The node agent reads them so; the engine may refuse the layer for another reason.
            }
            TarLayers.read(input);
        }
    },
    EROFS {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] written = written(ErofsReader.read(Seals.erofs(input)));
            same(written, written(ErofsReader.read(written)));
        }
    },
    EROFS_VIEW {
        @Override
        void parse(byte[] input) throws IOException {
            ErofsView view = ErofsView.of(ByteBuffer.wrap(Seals.erofs(input)));
            Deque<ErofsView.Entry> todo = new ArrayDeque<>(List.of(view.root()));
            for (int seen = 0; seen < MOST_ENTRIES && !todo.isEmpty(); seen++) {
                visit(view, todo.pop(), todo);
            }
        }
    },
    PLAN {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, PlanCodec.encode(PlanCodec.decode(document)));
        }
    },
    PACK_LAYOUT {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            PackLayout layout = PackLayout.decode(document);
            same(
                    document,
                    PackLayout.of(IntStream.range(0, layout.objects())
                                    .mapToObj(layout::packed)
                                    .toList())
                            .encode());
            Objects.requireNonNull(PackImage.of(layout));
        }
    },
    TRACE {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, TraceCodec.encode(TraceCodec.decode(document)));
        }
    },
    LAYER_INDEX {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, LayerIndexCodec.encode(LayerIndexCodec.decode(document)));
        }
    },
    PLAN_STATEMENT {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, PlanStatement.decode(document).encode());
        }
    },
    ARTIFACT_HEAD {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, ArtifactHead.decode(document).encode());
        }
    },
    LAYER_STATEMENT {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] document = Seals.document(input);
            same(document, LayerStatement.decode(document).encode());
        }
    },
    BUNDLE {
        @Override
        void parse(byte[] input) throws IOException {
            byte[] bundle = Seals.bundle(input);
            BundleReader reader = new BundleReader(new ByteArrayInputStream(bundle));
            while (reader.next().isPresent()) {
                // The payload is skipped by the reader itself.
            }
            BundleReader again = new BundleReader(new ByteArrayInputStream(bundle));
            for (var frame = again.next(); frame.isPresent(); frame = again.next()) {
                switch (frame.get()) {
                    case Frame.ObjectFrame object -> drain(object.payload());
                    case Frame.FramesFrame frames -> drain(frames.payload());
                    default -> {}
                }
            }
        }
    },
    PACK {
        @Override
        void parse(byte[] input) throws IOException {
            Path file = Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "fuzz-" + ProcessHandle.current().pid() + ".pack");
            Files.write(file, Seals.pack(input));
            try (PackReader pack = PackReader.open(file)) {
                for (var entry : pack.entries()) {
                    pack.frame(entry);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        }
    },
    DOCUMENT {
        @Override
        void parse(byte[] input) throws IOException {
            Documents.parse(text(input));
        }
    },
    CLOSURE {
        @Override
        void parse(byte[] input) throws IOException {
            ClosureImages.read(input);
        }
    },
    REQUEST {
        @Override
        void parse(byte[] input) throws IOException {
            List<Class<?>> kinds = List.of(BundleRequest.class, NodeReport.class, StartBatch.class);
            for (Class<?> kind : kinds) {
                try {
                    Object read = Json.mapper().readValue(input, kind);
                    if (read != null) {
                        Json.mapper().writeValueAsBytes(read);
                    }
                } catch (JacksonException e) {
                    Objects.requireNonNull(e.getOriginalMessage());
                }
            }
        }
    },
    CONTROL {
        @Override
        void parse(byte[] input) throws IOException {
            ControlRequests.send(input);
        }
    },
    REFERENCE {
        @Override
        void parse(byte[] input) {
            String text = text(input);
            refusing(() -> ImageReference.parse(text));
            refusing(() -> ImageLocation.parse(text));
        }
    },
    SNAPSHOT {
        @Override
        void parse(byte[] input) {
            SnapshotTexts.parse(text(input));
        }
    },
    PATH {
        @Override
        void parse(byte[] input) {
            String text = text(input);
            for (long directory : DIRECTORIES) {
                GatePath.child(directory, text);
            }
            if (text.indexOf(0) < 0) {
                ObjectNames.parse(text);
            }
        }
    },
    KERNEL {
        @Override
        void parse(byte[] input) throws IOException {
            Request.parse(ByteBuffer.wrap(input).order(ByteOrder.nativeOrder()));
        }
    };

    /** One of each kind. */
    private static final long[] DIRECTORIES = {
        GatePath.ROOT, GatePath.FETCH, GatePath.VERDICT, GatePath.FETCH << 8 | 7, 9
    };

    private static final int MOST_ENTRIES = 10_000;

    /**
     * Parses one input, right or not.
     *
     * @throws IOException when it is refused, as the parser's contract says
     */
    abstract void parse(byte[] input) throws IOException;

    /** Parses one input; ends normally when it is refused. */
    final void run(byte[] input) {
        try {
            parse(input);
        } catch (IOException e) {
            if (e.getMessage() == null) {
                throw new AssertionError("refused without a reason", e);
            }
        }
    }

    /** As on the command line, and the name of its directory in the corpus. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void visit(ErofsView view, ErofsView.Entry entry, Deque<ErofsView.Entry> todo) throws IOException {
        view.status(entry);
        view.xattrs(entry);
        if (entry.isDirectory()) {
            for (ErofsView.Name name : view.names(entry)) {
                view.find(entry, name.text());
                todo.push(name.entry());
            }
        } else {
            view.content(entry);
            view.target(entry);
        }
    }

    private static byte[] written(FileTree tree) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ErofsWriter.write(tree, out);
        return out.toByteArray();
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }

    private static void refusing(Runnable parser) {
        try {
            parser.run();
        } catch (IllegalArgumentException e) {
            Objects.requireNonNull(e.getMessage(), "refused without a reason");
        }
    }

    private static void drain(InputStream in) throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
    }

    private static void same(byte[] input, byte[] again) {
        if (!Arrays.equals(input, again)) {
            throw new AssertionError("what was accepted has another encoding, too");
        }
    }
}
