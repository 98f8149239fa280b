package io.faasimage.cli.profile;

import java.util.Map;

/**
 * One start taken apart: each microsecond between the call of the client and the first instruction of the container's
 * own program counts once, for the innermost program that works at that time.
 *
 * @param micros of the whole
 * @param parts its microseconds by program and category
 * @param waits of these, those in which that program waited for the kernel or for a processor
 */
record StartProfile(long micros, Map<Part, Map<Category, Long>> parts, Map<WaitReason, Long> waits) {}
