package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.registry.credentials.CredentialRetrievalException;
import io.faasimage.format.id.ImageReference;
import java.nio.file.Path;
import java.util.Optional;

/** The logins of Docker's configuration file and of the credential helpers that it names, as jib reads them. */
public final class DockerLogins implements RegistryLogins {
    private static final System.Logger LOG = System.getLogger(DockerLogins.class.getName());

    private final Optional<Path> file;

    private DockerLogins(Optional<Path> file) {
        this.file = file;
    }

    /** Those of the file that Docker's own commands read: in the directory {@code DOCKER_CONFIG}, else in the home. */
    public static DockerLogins ofUser() {
        return new DockerLogins(Optional.ofNullable(System.getenv("DOCKER_CONFIG"))
                .map(directory -> Path.of(directory, "config.json")));
    }

    /** One that cannot be read counts as none, with a warning. */
    @Override
    public Optional<Login> find(ImageReference reference) {
        CredentialRetrieverFactory factory = CredentialRetrieverFactory.forImage(
                com.google.cloud.tools.jib.api.ImageReference.of(
                        reference.registry(), reference.repository(), "latest"),
                event -> LOG.log(System.Logger.Level.DEBUG, event::getMessage));
        try {
            return (file.isPresent() ? factory.dockerConfig(file.get()) : factory.dockerConfig())
                    .retrieve()
                    .map(found -> new Login(found.getUsername(), found.getPassword()));
        } catch (CredentialRetrievalException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "no credentials for {0}, continuing without: {1}",
                    reference.registry(),
                    e.getMessage());
            return Optional.empty();
        }
    }
}
