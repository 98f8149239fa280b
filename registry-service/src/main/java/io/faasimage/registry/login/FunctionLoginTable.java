package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The logins of the current tenant's functions in the database. Thread-safe. */
@Repository
class FunctionLoginTable {
    private final JdbcClient jdbc;

    FunctionLoginTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A login with its encrypted password, in Base64. */
    record Row(String function, LoginInfo info, String secret) {}

    void add(String function, LoginInfo info, String secret) {
        jdbc.sql("INSERT INTO function_logins (function, repository, username, secret, created)"
                        + " VALUES (?, ?, ?, ?, ?)")
                .params(
                        function,
                        info.repository(),
                        info.user(),
                        secret,
                        OffsetDateTime.ofInstant(info.created(), ZoneOffset.UTC))
                .update();
    }

    Optional<Row> find(String function) {
        return jdbc.sql("SELECT * FROM function_logins WHERE function = ?")
                .param(function)
                .query(FunctionLoginTable::row)
                .optional();
    }

    /** The login for a repository that came last. */
    Optional<Row> newest(String repository) {
        return jdbc.sql("SELECT * FROM function_logins WHERE repository = ? ORDER BY created DESC, function"
                        + " FETCH FIRST ROW ONLY")
                .param(repository)
                .query(FunctionLoginTable::row)
                .optional();
    }

    void delete(String function) {
        jdbc.sql("DELETE FROM function_logins WHERE function = ?")
                .param(function)
                .update();
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                row.getString("function"),
                new LoginInfo(
                        row.getString("repository"),
                        row.getString("username"),
                        row.getObject("created", OffsetDateTime.class).toInstant()),
                row.getString("secret"));
    }
}
