package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import java.util.List;

/**
 * The outcome of deleting a function.
 *
 * @param function name
 * @param image digest of its image
 * @param imageRemoved whether image, plans and trace were forgotten
 * @param detail the same for people
 */
public record Deletion(String function, String image, boolean imageRemoved, String detail) {
    static Deletion of(FunctionInfo function, List<String> others, boolean removed) {
        String detail;
        if (removed) {
            detail = "its image, plan and trace are removed; objects stay for other images";
        } else if (others.isEmpty()) {
            detail = "its image stays with trace and plan, no function uses it any more; ?purge=true removes them";
        } else {
            detail = "its image stays, it is used by " + others.size() + " other function(s)";
        }
        return new Deletion(function.name(), function.digest(), removed, detail);
    }
}
