package io.faasimage.builder.worker;

import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.BuildTask.ImageLogin;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.RegistryLogins;
import java.util.List;
import java.util.Optional;

/** The logins of the build that the calling thread runs: those that its service has sent. Thread-safe. */
final class TaskLogins implements RegistryLogins {
    private static final ScopedValue<List<ImageLogin>> CURRENT = ScopedValue.newInstance();

    /** Does the work of a task with its logins. */
    static <T, X extends Throwable> T call(BuildTask task, ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, task.logins()).call(work);
    }

    @Override
    public Optional<Login> find(ImageReference reference) {
        String repository = reference.registry() + "/" + reference.repository();
        return CURRENT.orElse(List.of()).stream()
                .filter(login -> login.repository().equals(repository))
                .findFirst()
                .map(login -> new Login(login.user(), login.password()));
    }
}
