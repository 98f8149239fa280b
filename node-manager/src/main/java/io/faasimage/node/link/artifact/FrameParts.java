package io.faasimage.node.link.artifact;

import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanNumbers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The places of a plan's frames in the packs of its artifact. */
final class FrameParts {
    private FrameParts() {}

    /**
     * Neighbouring frames of an object that lie one behind the other in a pack.
     *
     * @param object its digest
     * @param first which of its frames the first one is
     * @param numbers how many frames
     * @param offset of the first one in the pack, bytes
     * @param length of all, bytes
     */
    record Part(Digest object, int first, int numbers, long offset, long length) {
        long end() {
            return offset + length;
        }

        private Part with(int more) {
            return new Part(object, first, numbers + 1, offset, length + more);
        }
    }

    /**
     * The parts of a pack that are wanted, by offset.
     *
     * @param wanted numbers of the plan; those that are found are cleared
     * @throws IOException when the pack is not one of the plan
     */
    static List<Part> of(Plan plan, PlanNumbers numbers, ArtifactPack pack, BitSet wanted) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (FrameRun run : pack.runs()) {
            if (wanted.get(run.from(), run.to()).isEmpty()) {
                continue;
            }
            long offset = run.offset();
            for (int number = run.from(); number < run.to(); number++) {
                int object = numbers.object(number);
                int frame = numbers.frame(number);
                ObjectFrames frames = plan.prefetch().get(object).frames();
                if (wanted.get(number)) {
                    wanted.clear(number);
                    add(parts, new Part(plan.objects().get(object).digest(), frame, 1, offset, frames.length(frame)));
                }
                offset += frames.length(frame);
            }
        }
        return parts;
    }

    private static void add(List<Part> parts, Part next) {
        if (!parts.isEmpty()) {
            Part last = parts.getLast();
            if (last.object().equals(next.object())
                    && last.first() + last.numbers() == next.first()
                    && last.end() == next.offset()) {
                parts.set(parts.size() - 1, last.with((int) next.length()));
                return;
            }
        }
        parts.add(next);
    }
}
