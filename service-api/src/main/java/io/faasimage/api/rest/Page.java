package io.faasimage.api.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a long list.
 *
 * @param items of this part
 * @param next parameter {@code after} of the next part; null at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }
}
