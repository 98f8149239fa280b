package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.ImageInfo.LibraryInfo;
import io.faasimage.api.image.PredictionInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One function: {@code GET /v1/views/functions/{name}}.
 *
 * @param summary as in the list
 * @param function as registered
 * @param tracedFiles files in its trace
 * @param prediction source of the current plan's prediction, without its files; null when it is from a trace
 * @param sharing other functions of the same image
 * @param libraries of the plan, heaviest first
 * @param versions plans (a pinned one is marked) and other versions of the image, newest first
 * @param newerPlan version of the newest plan when the function is pinned to an older one, else 0
 * @param damage why the versions cannot be compared, when a stored plan is damaged
 */
public record FunctionDetail(
        FunctionSummary summary,
        FunctionInfo function,
        int tracedFiles,
        @Nullable PredictionInfo prediction,
        List<String> sharing,
        List<SharedLibrary> libraries,
        List<Version> versions,
        int newerPlan,
        @Nullable String damage) {
    public FunctionDetail {
        sharing = List.copyOf(sharing);
        libraries = List.copyOf(libraries);
        versions = List.copyOf(versions);
    }

    /**
     * A library and who else has it.
     *
     * @param library the library
     * @param functions how many functions have it, this one included
     * @param others names of some of the others
     */
    public record SharedLibrary(LibraryInfo library, long functions, List<String> others) {
        public SharedLibrary {
            others = List.copyOf(others);
        }
    }

    /**
     * A plan that a node may hold, and the cost of the step from it to the current plan. Content bytes, uncompressed.
     *
     * @param label which one, for people
     * @param plan its digest
     * @param function that it is of, when it is another one's
     * @param current whether it is the current plan itself
     * @param startupObjects of its prefetch list
     * @param startupBytes their content
     * @param missingStartupObjects of the current plan's prefetch list that it does not have
     * @param missingStartupBytes their content
     * @param missingBytes content of all the current plan's objects that it does not have
     */
    public record Version(
            String label,
            String plan,
            @Nullable String function,
            boolean current,
            long startupObjects,
            long startupBytes,
            long missingStartupObjects,
            long missingStartupBytes,
            long missingBytes) {}
}
