package io.faasimage.api.function;

/**
 * An image of the catalogue, {@code GET /v1/catalogue}: a function is registered with it, and it has a plan.
 *
 * @param image reference as registered
 * @param digest manifest digest that it was resolved to, {@code sha256:...}
 */
public record CatalogueImage(String image, String digest) {}
