package io.faasimage.fuzz;

import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.statement.LayerStatement;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.layer.BlobBlocks;
import io.faasimage.refactor.layer.LayerCounts;
import io.faasimage.refactor.layer.LayerEntry;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerIndexCodec;
import io.faasimage.refactor.pack.Packs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** One right input of each kind that a parser knows, from which fuzzing begins. */
final class Seeds {
    private static final Digest DIGEST = Digest.of(new byte[] {1});
    private static final ChainId CHAIN = ChainId.ofBase(DIGEST);
    private static final int SIZE = ObjectFrames.CONTENT_BYTES + 1;
    private static final ObjectFrames FRAMES = ObjectFrames.of(
            SIZE, List.of(new ObjectFrames.Frame(300, DIGEST), new ObjectFrames.Frame(10, Digest.of(new byte[] {3}))));
    private static final int CHECKSUM_BYTES = 4;
    private static final int LOOKUP_HEADER = 40;

    private Seeds() {}

    static List<byte[]> of(Target target) throws IOException {
        return switch (target) {
            case TAR -> List.of(tar(), gzip(tar()));
            case EROFS, EROFS_VIEW -> List.of(erofs());
            case PLAN ->
                List.of(
                        unsealed(PlanCodec.encode(plan(PrefetchObject.whole(FRAMES)))),
                        unsealed(PlanCodec.encode(plan(new PrefetchObject(FRAMES, List.of(new IndexRange(1, 2)))))));
            case PACK_LAYOUT ->
                List.of(unsealed(PackLayout.of(List.of(new PackedObject(DIGEST, SIZE, FRAMES)))
                        .encode()));
            case TRACE -> List.of(unsealed(TraceCodec.encode(trace(2))), unsealed(TraceCodec.encode(trace(1))));
            case LAYER_INDEX -> List.of(unsealed(LayerIndexCodec.encode(layerIndex())));
            case PLAN_STATEMENT ->
                List.of(unsealed(
                        PlanStatement.of(DIGEST, plan(PrefetchObject.whole(FRAMES)), "linux/amd64", Instant.EPOCH)
                                .encode()));
            case ARTIFACT_HEAD ->
                List.of(unsealed(new ArtifactHead(
                                new SignedDocument(new byte[] {1}, DIGEST, new byte[SignedDocument.SIGNATURE_BYTES]),
                                true,
                                new byte[] {2},
                                new byte[] {3},
                                List.of(new PrefixImage(DIGEST, new BlobName(DIGEST, 4))),
                                List.of(new ArtifactPack(DIGEST, 9, List.of(new FrameRun(0, 2, 1, 5)))))
                        .encode()));
            case LAYER_STATEMENT -> List.of(unsealed(new LayerStatement(DIGEST, DIGEST).encode()));
            case BUNDLE -> List.of(bundle());
            case PACK -> List.of(Packs.example());
            case DOCUMENT ->
                List.of(
                        text("{\"schemaVersion\":2,\"config\":{\"digest\":\"" + DIGEST + "\",\"size\":2},"
                                + "\"layers\":[{\"mediaType\":\"a\",\"digest\":\"" + DIGEST + "\",\"size\":3}]}"),
                        text("{\"schemaVersion\":2,\"manifests\":[{\"digest\":\"" + DIGEST
                                + "\",\"size\":2,\"mediaType\":\"a\",\"platform\":{\"os\":\"linux\","
                                + "\"architecture\":\"amd64\",\"variant\":\"v2\"},\"annotations\":{}}]}"),
                        text("{\"os\":\"linux\",\"architecture\":\"amd64\",\"config\":{\"Env\":[\"A=b\"],"
                                + "\"Cmd\":[\"/a\"],\"Labels\":{\"a\":\"b\"}},\"rootfs\":{\"diff_ids\":[\"" + DIGEST
                                + "\"]}}"));
            case CLOSURE ->
                List.of(
                        text("import a, b.c as d\nfrom . import e\nif x:\n  def f():\n    '''g'''\n"),
                        text("#!/usr/bin/env -S node -x\nconst a = require('./a'); (() => { import(`b`) })(); /[/]/"),
                        text("#!/bin/sh\nset -- a \"$@\"; A=$(b `c`) exec \"${D:-e}\" <<F 2>&1\nF\n"),
                        text("<?php namespace A; use B\\C as D; require __DIR__ . '/e.php'; new D(<<<F\n F);"),
                        text("require 'a'\nautoload :B, \"b\"\ndef c\n  require File.join(__dir__, 'd')\nend\n"),
                        text("{\"main\": \"a\", \"exports\": {\"./*\": [{\"node\": \"./*.js\"}]}}"),
                        text("include /etc/*.conf\n/usr/lib\nextension=a.so\n/opt\nimport os\n"));
            case REQUEST ->
                List.of(
                        text("{\"chain\":\"" + CHAIN + "\",\"planWanted\":true,\"set\":\"STARTUP\"}"),
                        text("{\"plan\":\"" + DIGEST + "\",\"ranges\":[{\"from\":0,\"to\":3}],\"offset\":1}"),
                        text("{\"starts\":[]}"));
            case CONTROL -> List.of(text("{\"command\":\"fetch\",\"object\":\"" + DIGEST + "\"}"));
            case REFERENCE -> List.of(text("registry.example:5000/a/b_c:1.0@" + DIGEST), text("busybox"));
            case SNAPSHOT ->
                List.of(text("k8s.io/12/extract-1-ab " + CHAIN), text("kind==active,labels.\"a b\"~=c.*,name!=\"d\""));
            case PATH ->
                List.of(
                        text("fetch"),
                        text(DIGEST.hex().substring(0, 2)),
                        text(DIGEST.hex().substring(2)),
                        text(DIGEST.objectPath().toString()));
            case KERNEL -> List.of(lookup(), read());
        };
    }

    /** A request of {@code FUSE_READ}: {@code struct fuse_in_header} and {@code struct fuse_read_in}. */
    private static byte[] read() {
        return ByteBuffer.allocate(LOOKUP_HEADER + 40)
                .order(ByteOrder.nativeOrder())
                .putInt(LOOKUP_HEADER + 40)
                .putInt(15)
                .putLong(4)
                .putLong(1L << 60)
                .position(LOOKUP_HEADER + 8)
                .putLong(4096)
                .putInt(131_072)
                .array();
    }

    /** A request of {@code FUSE_LOOKUP}, {@code struct fuse_in_header} and a name. */
    private static byte[] lookup() {
        byte[] name = text("fetch\0");
        return ByteBuffer.allocate(LOOKUP_HEADER + name.length)
                .order(ByteOrder.nativeOrder())
                .putInt(LOOKUP_HEADER + name.length)
                .putInt(1)
                .putLong(2)
                .putLong(1)
                .putInt(0)
                .putInt(0)
                .putInt(7)
                .putInt(0)
                .put(name)
                .array();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The target adds the checksum. */
    private static byte[] unsealed(byte[] document) {
        return Arrays.copyOf(document, document.length - CHECKSUM_BYTES);
    }

    private static Attributes attributes() {
        TreeMap<String, byte[]> xattrs = new TreeMap<>();
        xattrs.put("user.a", new byte[] {1, 2});
        return new Attributes(0644, 1000, 1000, 1_700_000_000L, 5, xattrs);
    }

    private static Plan plan(PrefetchObject first) {
        return new Plan(
                DIGEST,
                DIGEST,
                List.of(new PlanLayer(CHAIN, DIGEST, 4096)),
                List.of(new Library("python", "flask", "3.1.0")),
                List.of(
                        new PlanObject(DIGEST, SIZE, Segment.BASE, -1),
                        new PlanObject(Digest.of(new byte[] {2}), 1, Segment.LIB, 0)),
                List.of(first));
    }

    private static Trace trace(int rangeRuns) {
        return new Trace(
                CHAIN,
                2,
                List.of(new TraceEntry(FilePath.ofText("a/b"), 2, 3, 4, rangeRuns, List.of(new ByteRange(0, 5)))));
    }

    private static LayerIndex layerIndex() {
        FilePath path = FilePath.ofText("a");
        return new LayerIndex(
                DIGEST,
                DIGEST,
                new BlobBlocks(10, List.of(DIGEST)),
                new LayerCounts(1, 4, 10, 0),
                List.of(
                        new LayerEntry.Put(path, new Inode.Directory(attributes())),
                        new LayerEntry.Put(FilePath.ofText("a/b"), Inode.RegularFile.of(attributes(), 7, DIGEST)),
                        new LayerEntry.Put(FilePath.ofText("a/c"), new Inode.Symlink(attributes(), "b")),
                        new LayerEntry.HardLink(FilePath.ofText("a/d"), FilePath.ofText("a/b"), attributes()),
                        new LayerEntry.Opaque(path),
                        new LayerEntry.Whiteout(FilePath.ofText("e"))));
    }

    private static byte[] tar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, 512)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            put(tar, new TarArchiveEntry("a/"), new byte[0]);
            TarArchiveEntry file = new TarArchiveEntry("a/" + "b".repeat(120));
            file.addPaxHeader("SCHILY.xattr.user.a", "b");
            put(tar, file, new byte[] {1, 2, 3});
            TarArchiveEntry link = new TarArchiveEntry("l", (byte) '2');
            link.setLinkName("a");
            put(tar, link, new byte[0]);
            put(tar, new TarArchiveEntry("a/.wh.c"), new byte[0]);
        }
        return bytes.toByteArray();
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, byte[] content) throws IOException {
        entry.setModTime(0);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] erofs() throws IOException {
        FileTree tree = new FileTree(attributes());
        tree.put(FilePath.ofText("d"), new Inode.Directory(attributes()));
        tree.put(FilePath.ofText("d/f"), Inode.RegularFile.of(attributes(), 7, DIGEST));
        tree.put(FilePath.ofText("d/l"), new Inode.Symlink(attributes(), "f"));
        tree.put(FilePath.ofText("n"), new Inode.Special(attributes(), Inode.Special.Kind.CHARACTER_DEVICE, 1, 3));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ErofsWriter.write(tree, bytes);
        return bytes.toByteArray();
    }

    private static byte[] bundle() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BundleWriter bundle = new BundleWriter(bytes);
        bundle.plan(PlanCodec.encode(plan(PrefetchObject.whole(FRAMES))));
        bundle.chains(List.of(CHAIN));
        bundle.object(DIGEST, 4, 3, new ByteArrayInputStream(new byte[] {1, 2, 3}));
        bundle.framesHeader(DIGEST, 1, 2);
        bytes.writeBytes(new byte[] {4, 5});
        bundle.end();
        return bytes.toByteArray();
    }
}
