-- Logins at image registries. secret: the password, encrypted, in Base64 (class LoginKey).
CREATE TABLE registry_logins (
    repository VARCHAR(1024) PRIMARY KEY,
    username   VARCHAR(253) NOT NULL,
    secret     VARCHAR(16384) NOT NULL,
    created    TIMESTAMP WITH TIME ZONE NOT NULL
);
