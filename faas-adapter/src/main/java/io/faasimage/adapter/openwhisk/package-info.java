/**
 * OpenWhisk: what its controller's API and its runtimes manifest tell of images that will be started. Independent of
 * any proxy.
 */
@NullMarked
package io.faasimage.adapter.openwhisk;

import org.jspecify.annotations.NullMarked;
