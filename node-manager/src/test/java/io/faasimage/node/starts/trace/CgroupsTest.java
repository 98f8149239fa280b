package io.faasimage.node.starts.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CgroupsTest {
    private static final Cgroups HOST_1 = Cgroups.parse("4:memory:/system.slice\n3:cpu,cpuacct:/\n1:name=systemd:/a\n");
    private static final Cgroups HOST_2 = Cgroups.parse("0::/system.slice/faasimage.service\n");

    @Test
    void aContainerOfVersion1IsKnownByItsOwnGroups() {
        Cgroups own = Cgroups.parse("4:memory:/default/f1\n3:cpu,cpuacct:/default/f1\n1:name=systemd:/a\n")
                .without(HOST_1);
        assertThat(own.paths()).containsOnlyKeys("memory", "cpu,cpuacct");
        assertThat(own.holds(Cgroups.parse("4:memory:/default/f1/sub\n3:cpu,cpuacct:/\n")))
                .isTrue();
        assertThat(own.holds(Cgroups.parse("4:memory:/default/f11\n3:cpu,cpuacct:/default\n1:name=systemd:/a\n")))
                .isFalse();
        assertThat(own.holds(HOST_1)).isFalse();
    }

    @Test
    void aContainerOfVersion2IsKnownByItsGroup() {
        Cgroups own = Cgroups.parse("0::/kubepods/pod1/c:1\n").without(HOST_2);
        assertThat(own.holds(Cgroups.parse("0::/kubepods/pod1/c:1"))).isTrue();
        assertThat(own.holds(Cgroups.parse("0::/kubepods/pod1/c:1/child"))).isTrue();
        assertThat(own.holds(Cgroups.parse("0::/kubepods/pod1"))).isFalse();
        assertThat(own.holds(HOST_2)).isFalse();
    }

    @Test
    void oneWithoutGroupsOfItsOwnHoldsNobody() {
        assertThat(HOST_2.without(HOST_2).holds(HOST_2)).isFalse();
        assertThat(Cgroups.parse("0::/\n").without(HOST_2).holds(Cgroups.parse("0::/x\n")))
                .isFalse();
        assertThat(Cgroups.parse("odd line\n").paths()).isEmpty();
    }
}
