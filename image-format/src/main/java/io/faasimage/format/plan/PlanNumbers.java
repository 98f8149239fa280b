package io.faasimage.format.plan;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The numbers by which a request names what it wants of a plan: those of all frames of the first object, of the second
 * and so on to the end of the prefetch list, and then one for each other object. Immutable.
 */
public final class PlanNumbers {
    /** The number of the first frame of each object of the prefetch list, and behind them the number of frames. */
    private final int[] first;

    private final Plan plan;

    /** The numbers of a plan. */
    public PlanNumbers(Plan plan) {
        this.plan = plan;
        this.first = new int[plan.startupCount() + 1];
        for (int i = 0; i < plan.startupCount(); i++) {
            first[i + 1] =
                    Math.addExact(first[i], plan.prefetch().get(i).frames().count());
        }
    }

    /** How many there are. */
    public int count() {
        return frames() + plan.rest().size();
    }

    /** How many of them are frames of the prefetch list; they come first. */
    public int frames() {
        return first[first.length - 1];
    }

    /** The index, in the plan, of the object that a number is of. */
    public int object(int number) {
        if (number >= frames()) {
            return plan.startupCount() + number - frames();
        }
        int at = Arrays.binarySearch(first, number);
        return at >= 0 ? at : -at - 2;
    }

    /** Which of its object's frames a number is; 0 for a whole object beyond the prefetch list. */
    public int frame(int number) {
        return number >= frames() ? 0 : number - first[object(number)];
    }

    /** The number of a frame of an object of the prefetch list, or of another object as a whole. */
    public int number(int object, int frame) {
        return object < plan.startupCount() ? first[object] + frame : frames() + object - plan.startupCount();
    }

    /** The numbers of what starts read of these objects, by their indexes; of other objects as a whole. */
    public int[] wanted(int[] objects) {
        BitSet numbers = new BitSet(count());
        for (int object : objects) {
            if (object < plan.startupCount()) {
                for (IndexRange range : plan.prefetch().get(object).wanted()) {
                    numbers.set(first[object] + range.from(), first[object] + range.to());
                }
            } else {
                numbers.set(number(object, 0));
            }
        }
        return numbers.stream().toArray();
    }
}
