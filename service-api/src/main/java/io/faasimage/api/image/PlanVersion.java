package io.faasimage.api.image;

import java.time.Instant;

/**
 * One of the plans of an image: {@code GET /v1/images/{digest}/plans}.
 *
 * @param version counts the plans of the image, from 1
 * @param plan its digest
 * @param created when it became the image's newest
 * @param startupObjects objects of its prefetch list
 * @param startupBytes their content
 * @param objects all objects
 */
public record PlanVersion(
        int version, String plan, Instant created, long startupObjects, long startupBytes, long objects) {}
