package io.faasimage.api.login;

import io.faasimage.api.rest.FieldChecks;
import io.faasimage.format.id.RepositoryPrefix;

/**
 * The creation or replacement of a login: {@code PUT /v1/registry-logins}.
 *
 * @param repository what it is for: {@code HOST[:PORT]}, or one of its repositories or folders of them
 * @param user user name at the image registry
 * @param password password or token; never logged, and no answer has it
 */
public record LoginRequest(String repository, String user, String password) {
    static final int MOST_USER_CHARS = 253;
    static final int MOST_CHARS = 2048;

    /** Checks the fields. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public LoginRequest {
        if (repository == null || user == null || user.isEmpty() || password == null || password.isEmpty()) {
            throw FieldChecks.refused("repository, user and password", "are all needed");
        }
        try {
            RepositoryPrefix.parse(repository);
        } catch (IllegalArgumentException e) {
            throw FieldChecks.refused("repository", "is HOST[:PORT], or HOST[:PORT]/PATH of repositories");
        }
        FieldChecks.text("user", user, MOST_USER_CHARS);
        FieldChecks.text("password", password, MOST_CHARS);
    }

    @Override
    public String toString() {
        return repository + " as " + user;
    }
}
