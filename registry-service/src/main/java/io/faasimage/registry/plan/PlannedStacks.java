package io.faasimage.registry.plan;

import io.faasimage.format.id.ChainId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The layers of the images that have a plan. Thread-safe. */
@Repository
public class PlannedStacks {
    private static final int MAX_ROWS = 65_536;

    private final JdbcClient jdbc;

    PlannedStacks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What lies above a layer, for each stack of a planned image with this layer in it; the newest image comes first.
     *
     * @param chain the layer, which is the first of every stack
     */
    public List<List<ChainId>> above(ChainId chain) {
        Map<String, List<ChainId>> stacks = new LinkedHashMap<>();
        jdbc.sql("SELECT c.image, c.chain FROM image_chains c JOIN image_chains b ON b.image = c.image"
                        + " JOIN images i ON i.digest = c.image"
                        + " WHERE b.chain = ? AND c.position >= b.position AND i.plan IS NOT NULL"
                        + " ORDER BY i.created DESC, c.image, c.position FETCH FIRST " + MAX_ROWS + " ROWS ONLY")
                .param(chain.toString())
                .query((row, number) -> Map.entry(row.getString(1), ChainId.parse(row.getString(2))))
                .list()
                .forEach(layer -> stacks.computeIfAbsent(layer.getKey(), _ -> new java.util.ArrayList<>())
                        .add(layer.getValue()));
        return stacks.values().stream().distinct().toList();
    }

    /**
     * The layers of these stacks, each once, up to a number; without those that are the top of one: whoever holds such a layer
     * has a whole image and asks for its plan.
     */
    public static List<ChainId> lower(Collection<List<ChainId>> stacks, int limit) {
        SequencedSet<ChainId> layers = new LinkedHashSet<>();
        stacks.forEach(layers::addAll);
        stacks.forEach(stack -> layers.remove(stack.getLast()));
        return layers.stream().limit(limit).toList();
    }
}
