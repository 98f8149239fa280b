package io.faasimage.api.function;

/**
 * A language runtime that planned images have: {@code GET /v1/runtimes}. A node that holds the base start-up objects of
 * {@code plan} has the objects that functions of this runtime share.
 *
 * @param name such as {@code python3.12}
 * @param images number of planned images with it
 * @param plan digest of the newest plan with it
 * @param baseObjects objects of that plan's base segment in the prefetch list
 * @param baseBytes their content
 * @param baseStored their content compressed, as it is moved
 */
public record RuntimeInfo(String name, int images, String plan, long baseObjects, long baseBytes, long baseStored) {}
