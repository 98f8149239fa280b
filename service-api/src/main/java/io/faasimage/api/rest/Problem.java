package io.faasimage.api.rest;

import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 problem details.
 *
 * @param type URI reference of the kind of problem
 * @param title short summary of the kind
 * @param status HTTP status
 * @param detail the failure and its remedy
 * @param instance the request path
 */
public record Problem(
        @Nullable String type,
        @Nullable String title,
        int status,
        @Nullable String detail,
        @Nullable String instance) {
    /** Media type of the JSON form. */
    public static final String MEDIA_TYPE = "application/problem+json";
}
