package io.faasimage.adapter.openwhisk;

/** A change to report to registry-service. */
public sealed interface ImageChange {
    /** The name under which the function is registered: of {@code a-z 0-9 . -}, and one for each action. */
    String function();

    /**
     * The registration of a function that will be started from an image.
     *
     * @param function its name
     * @param image reference as the invoker pulls it
     */
    record Register(String function, String image) implements ImageChange {}

    /**
     * The release of a function that will no longer be started from an image of its own.
     *
     * @param function its name
     */
    record Release(String function) implements ImageChange {}
}
