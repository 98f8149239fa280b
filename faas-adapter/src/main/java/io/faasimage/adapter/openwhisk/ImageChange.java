package io.faasimage.adapter.openwhisk;

/** A change to report to registry-service. */
public sealed interface ImageChange {
    /** The name under which the function is registered: of {@code a-z 0-9 . -}, and one for each action. */
    String function();

    /**
     * A function will be started from an image.
     *
     * @param function its name
     * @param image reference as the invoker pulls it
     */
    record Register(String function, String image) implements ImageChange {}

    /**
     * A function will not be started from an image of its own any more.
     *
     * @param function its name
     */
    record Release(String function) implements ImageChange {}
}
