package io.faasimage.node.pull;

import io.faasimage.format.bundle.Frame.FramesFrame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.store.object.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.function.LongConsumer;

/** A writer of frames into packs, each as soon as it has come whole and has its digest. For one thread. */
final class FrameWriter {
    private final MessageDigest hash = Digest.newSha256();
    private final byte[] buffer = new byte[ObjectFrames.MAX_STORED_BYTES];

    /**
     * Writes frames of an object, except those that are there.
     *
     * @param progress receives the number of bytes of each frame
     * @return bytes of their content
     * @throws CorruptObjectException when one is not what the plan says
     * @throws StoreException when the disk is full or fails
     * @throws IOException unchanged from the network; frames written before stay
     */
    long write(PackTarget target, FramesFrame frames, LongConsumer progress) throws IOException {
        ObjectFrames known = target.frames();
        long left = frames.storedSize();
        long raw = 0;
        for (int frame = frames.first(); left > 0; frame++) {
            if (frame >= known.count() || known.length(frame) > left) {
                throw new CorruptObjectException(
                        frames.digest(), new IOException("other frames than those of the plan"));
            }
            int length = known.length(frame);
            if (frames.payload().readNBytes(buffer, 0, length) < length) {
                throw new EOFException("object " + frames.digest() + " ended early");
            }
            progress.accept(length);
            write(target, frame, length, frames.digest());
            raw += known.contentBytes(frame);
            left -= length;
        }
        return raw;
    }

    private void write(PackTarget target, int frame, int length, Digest object) throws IOException {
        int number = target.frame(frame);
        if (target.pack().has(number)) {
            return;
        }
        try {
            target.pack().put(number, ByteBuffer.wrap(buffer, 0, length), hash);
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.WRONG_CONTENT ? new CorruptObjectException(object, e) : e;
        }
    }
}
