/**
 * What a service and its builders tell each other: records that are JSON on the wire. The builder makes every request,
 * with a token of the scope {@code builder}.
 */
@NullMarked
package io.faasimage.builder.protocol;

import org.jspecify.annotations.NullMarked;
