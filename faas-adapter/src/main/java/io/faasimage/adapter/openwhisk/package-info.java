/**
 * OpenWhisk: the images that will be started, as its controller's API and its runtimes manifest name them. Independent
 * of any proxy.
 */
@NullMarked
package io.faasimage.adapter.openwhisk;

import org.jspecify.annotations.NullMarked;
