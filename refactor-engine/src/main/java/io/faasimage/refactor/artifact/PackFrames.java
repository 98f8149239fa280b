package io.faasimage.refactor.artifact;

import io.faasimage.format.FormatException;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanNumbers;
import java.util.ArrayList;
import java.util.List;

/**
 * A pack of an earlier plan and the frames that are known to be in it.
 *
 * @param blob its digest
 * @param size of the blob, bytes
 * @param frames by offset
 */
record PackFrames(Digest blob, long size, List<Place> frames) {
    /** A frame: its digest, and its place in the pack, bytes. */
    record Place(Digest digest, long offset, int length) {}

    PackFrames {
        frames = List.copyOf(frames);
    }

    /**
     * The packs of an artifact.
     *
     * @throws FormatException when its plan cannot be read, or has other frames than the head says
     */
    static List<PackFrames> of(ArtifactHead head) throws FormatException {
        Plan plan = PlanCodec.decode(head.plan());
        PlanNumbers numbers = new PlanNumbers(plan);
        List<PackFrames> packs = new ArrayList<>();
        for (ArtifactPack pack : head.packs()) {
            List<Place> frames = new ArrayList<>();
            for (FrameRun run : pack.runs()) {
                if (run.to() > numbers.frames()) {
                    throw FormatException.corrupt("artifact head has frame " + run.to() + " of " + numbers.frames());
                }
                long offset = run.offset();
                for (int number = run.from(); number < run.to(); number++) {
                    ObjectFrames of =
                            plan.prefetch().get(numbers.object(number)).frames();
                    int frame = numbers.frame(number);
                    frames.add(new Place(of.digest(frame), offset, of.length(frame)));
                    offset += of.length(frame);
                }
            }
            packs.add(new PackFrames(pack.blob(), pack.size(), frames));
        }
        return packs;
    }
}
