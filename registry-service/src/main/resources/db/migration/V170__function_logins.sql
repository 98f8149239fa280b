-- Logins that came with functions, each for the repository of the function's image. secret: as in registry_logins.
CREATE TABLE function_logins (
    function   VARCHAR(253) PRIMARY KEY,
    repository VARCHAR(1024) NOT NULL,
    username   VARCHAR(253) NOT NULL,
    secret     VARCHAR(16384) NOT NULL,
    created    TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX function_logins_by_repository ON function_logins (repository, created);
