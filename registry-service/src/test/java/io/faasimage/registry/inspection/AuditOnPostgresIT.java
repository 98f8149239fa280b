package io.faasimage.registry.inspection;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** {@link AuditHttpTest} on PostgreSQL, which refuses to change a record. */
@ExtendWith(OnPostgres.class)
class AuditOnPostgresIT extends AuditHttpTest {
    @Test
    void theDatabaseRefusesToChangeARecord() {
        service.part(AuditLog.class).add(AuditAction.NODE_RENEW, "kept", null, null);
        JdbcClient database = service.part(JdbcClient.class);
        for (String change : new String[] {"UPDATE audit_log SET actor = 'nobody'", "TRUNCATE audit_log"}) {
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> database.sql(change).update())
                    .withMessageContaining("append-only");
        }
    }
}
