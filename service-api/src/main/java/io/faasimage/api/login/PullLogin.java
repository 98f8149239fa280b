package io.faasimage.api.login;

import io.faasimage.api.rest.FieldChecks;

/**
 * The login with which a deployment's image is pulled.
 *
 * @param user user name at the image registry
 * @param password password or token; never logged, and no answer has it
 */
public record PullLogin(String user, String password) {
    /** Checks the fields. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public PullLogin {
        if (user == null || user.isEmpty() || password == null || password.isEmpty()) {
            throw FieldChecks.refused("user and password", "are both needed");
        }
        FieldChecks.text("user", user, LoginRequest.MOST_USER_CHARS);
        FieldChecks.text("password", password, LoginRequest.MOST_CHARS);
    }

    @Override
    public String toString() {
        return user + ":***";
    }
}
