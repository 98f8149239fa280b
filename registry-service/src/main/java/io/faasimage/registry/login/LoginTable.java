package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The logins of the current tenant in the database. Thread-safe. */
@Repository
class LoginTable {
    private final JdbcClient jdbc;

    LoginTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A login with its encrypted password, in Base64. */
    record Row(LoginInfo info, String secret) {}

    void put(LoginInfo info, String secret) {
        delete(info.repository());
        jdbc.sql("INSERT INTO registry_logins (repository, username, secret, created) VALUES (?, ?, ?, ?)")
                .params(info.repository(), info.user(), secret, time(info.created()))
                .update();
    }

    Optional<Row> find(String repository) {
        return jdbc.sql("SELECT * FROM registry_logins WHERE repository = ?")
                .param(repository)
                .query(LoginTable::row)
                .optional();
    }

    List<Row> all() {
        return jdbc.sql("SELECT * FROM registry_logins ORDER BY repository")
                .query(LoginTable::row)
                .list();
    }

    void delete(String repository) {
        jdbc.sql("DELETE FROM registry_logins WHERE repository = ?")
                .param(repository)
                .update();
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        Instant created = row.getObject("created", OffsetDateTime.class).toInstant();
        return new Row(
                new LoginInfo(row.getString("repository"), row.getString("username"), created),
                row.getString("secret"));
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
