/**
 * OpenWhisk: what its controller's API and its runtimes manifest say about images that will be started. Independent of
 * any proxy.
 */
@NullMarked
package io.faasimage.adapter.openwhisk;

import org.jspecify.annotations.NullMarked;
