package io.faasimage.cli.profile;

import io.faasimage.api.start.StartProfileInfo;
import io.faasimage.api.start.StartProfileInfo.Spread;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Several starts of one image taken together, in milliseconds.
 *
 * @param image its name
 * @param starts how many were profiled
 * @param total from the client's call to the container's own program
 * @param parts by program and category; what no start had is absent
 * @param waits by reason, included in the parts
 */
record ProfileSummary(
        String image, int starts, Spread total, Map<Part, Map<Category, Spread>> parts, Map<WaitReason, Spread> waits) {
    private static Spread spread(List<StartProfile> profiles, ToDoubleFunction<StartProfile> micros) {
        double[] values = profiles.stream()
                .mapToDouble(profile -> micros.applyAsDouble(profile) / 1000)
                .toArray();
        double mean = DoubleStream.of(values).average().orElse(0);
        double squares = DoubleStream.of(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return new Spread(mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
    }

    static ProfileSummary of(String image, List<StartProfile> profiles) {
        Map<Part, Map<Category, Spread>> parts = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            Map<Category, Spread> categories = new EnumMap<>(Category.class);
            for (Category category : Category.values()) {
                Spread spread = spread(
                        profiles,
                        profile -> profile.parts().getOrDefault(part, Map.of()).getOrDefault(category, 0L));
                if (spread.mean() > 0) {
                    categories.put(category, spread);
                }
            }
            if (!categories.isEmpty()) {
                parts.put(part, categories);
            }
        }
        Map<WaitReason, Spread> waits = new EnumMap<>(WaitReason.class);
        for (WaitReason reason : WaitReason.values()) {
            Spread spread = spread(profiles, profile -> profile.waits().getOrDefault(reason, 0L));
            if (spread.mean() > 0) {
                waits.put(reason, spread);
            }
        }
        return new ProfileSummary(image, profiles.size(), spread(profiles, StartProfile::micros), parts, waits);
    }

    /** As the service takes it. */
    StartProfileInfo info(String node, String snapshotter) {
        Map<String, Map<String, Spread>> rows = new LinkedHashMap<>();
        parts.forEach((part, categories) -> {
            Map<String, Spread> cells = new LinkedHashMap<>();
            categories.forEach((category, spread) -> cells.put(category.label(), spread));
            rows.put(part.label(), cells);
        });
        Map<String, Spread> reasons = new LinkedHashMap<>();
        waits.forEach((reason, spread) -> reasons.put(reason.label(), spread));
        return new StartProfileInfo(image, node, snapshotter, null, starts, total, rows, reasons);
    }
}
