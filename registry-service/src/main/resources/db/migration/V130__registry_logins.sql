-- Logins at image registries. secret: the password, encrypted (class LoginKey).
CREATE TABLE registry_logins (
    repository VARCHAR(1024) PRIMARY KEY,
    username   VARCHAR(253) NOT NULL,
    secret     BYTEA NOT NULL,
    created    TIMESTAMP WITH TIME ZONE NOT NULL
);
