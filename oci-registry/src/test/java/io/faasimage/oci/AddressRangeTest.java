package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, loopback",
        "127.255.255.254, loopback",
        "0.0.0.0, loopback",
        "0.1.2.3, loopback",
        "::, loopback",
        "::1, loopback",
        "::ffff:127.0.0.1, loopback",
        "64:ff9b::7f00:1, loopback",
        "2002:7f00:0001::, loopback",
        "169.254.169.254, link-local",
        "fe80::1, link-local",
        "::ffff:169.254.169.254, link-local",
        "64:ff9b::a9fe:a9fe, link-local",
        "10.0.0.1, private",
        "172.16.0.1, private",
        "172.31.255.255, private",
        "192.168.1.1, private",
        "100.64.0.1, private",
        "100.127.255.255, private",
        "fd00:ec2::254, private",
        "fec0::1, private",
        "2002:0a00:0001::, private",
        "172.32.0.1, ''",
        "100.128.0.1, ''",
        "192.0.2.1, ''",
        "2001:db8::1, ''",
        "64:ff9b::c000:201, ''"
    })
    void anAddressIsInItsRangeHoweverItIsWritten(String address, String range) throws Exception {
        InetAddress parsed = InetAddress.getByName(address);
        assertThat(Arrays.stream(AddressRange.values())
                        .filter(known -> known.contains(parsed))
                        .map(AddressRange::toString)
                        .collect(Collectors.joining()))
                .isEqualTo(range);
    }
}
