package io.faasimage.registry.images.child;

import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.predict.Profile;
import java.util.Optional;

/**
 * The service's answer to a {@link ChildRequest}.
 *
 * @param bytes that were requested
 * @param profile that was requested, if there is one
 * @param refused the kind of a failure; the engine decides about its effect on the image
 * @param message of the failure
 */
@SuppressWarnings("ArrayRecordComponent")
record ChildAnswer(byte[] bytes, Optional<Profile> profile, Optional<Kind> refused, String message) {
    static ChildAnswer of(byte[] bytes) {
        return new ChildAnswer(bytes, Optional.empty(), Optional.empty(), "");
    }

    static ChildAnswer of(Optional<Profile> profile) {
        return new ChildAnswer(new byte[0], profile, Optional.empty(), "");
    }

    static ChildAnswer refused(Kind kind, String message) {
        return new ChildAnswer(new byte[0], Optional.empty(), Optional.of(kind), message);
    }
}
