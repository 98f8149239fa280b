/**
 * The common parts of all resources of the REST API: JSON, pages, errors, request IDs, media types and the limits of
 * fields.
 */
@NullMarked
package io.faasimage.api.rest;

import org.jspecify.annotations.NullMarked;
