package io.faasimage.registry.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TenantTurnsTest {
    private static List<String> after(String last) {
        List<TenantName> names = List.of(new TenantName("a"), new TenantName("b"), new TenantName("c"));
        return TenantTurns.after(last, names).stream().map(TenantName::text).toList();
    }

    @Test
    void theOneServedLastIsServedLast() {
        assertThat(after("")).containsExactly("a", "b", "c");
        assertThat(after("a")).containsExactly("b", "c", "a");
        assertThat(after("c")).containsExactly("a", "b", "c");
        assertThat(after("bb")).containsExactly("c", "a", "b");
    }

    @Test
    void aNameIsSafeInASchemasName() {
        assertThat(new TenantName("a-1").schema("own")).isEqualTo("own_tenant_a-1");
        for (String wrong : List.of("", "-a", "a-", "A", "a\"b", "a.b", "a".repeat(41))) {
            assertThatThrownBy(() -> new TenantName(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void workForAnotherThreadKeepsItsTenant() throws Exception {
        TenantName[] seen = new TenantName[1];
        TenantName tenant = new TenantName("a");
        Runnable work = TenantScope.call(tenant, () -> TenantScope.bound(() -> seen[0] = TenantScope.current()));
        Thread.ofVirtual().start(work).join();
        assertThat(seen[0]).isEqualTo(tenant);
        assertThat(TenantScope.current()).isEqualTo(TenantName.DEFAULT);
    }
}
