package io.faasimage.registry.store.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.platform.connection.DirectHttpProtocol;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bundles on one connection whose client takes little at a time, so that the socket is full again and again. */
@Timeout(60)
class SlowClientTest extends SharedServices {
    private static final int RECEIVE_BUFFER = 4096;

    @Test
    void everyByteComesInOrderAndTheConnectionGoesOn() throws Exception {
        List<TestContent> contents = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            contents.add(content(i, 100 + i * 300));
        }
        contents.add(content(300, 9_000_000));
        TestService service = service();
        BundleRequest request = request(service, contents);
        byte[] expected = service.client().bundle(request).body().readAllBytes();
        assertThat(expected).hasSizeGreaterThan(20_000_000);
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.connect(new InetSocketAddress(
                    service.base().getHost(), service.base().getPort()));
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1500));
            for (int i = 0; i < 2; i++) {
                socket.getOutputStream().write(head(request));
                assertThat(readAnswer(in)).isEqualTo(expected);
            }
        }
    }

    private static TestContent content(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return new TestContent(bytes, Segment.FUNC, true);
    }

    private static BundleRequest request(TestService service, List<TestContent> contents) throws IOException {
        Digest plan = service.plan(service.planned("slow", contents));
        return BundleRequest.objects(plan, Segment.FUNC, ObjectSet.STARTUP, List.of());
    }

    private static byte[] head(BundleRequest request) {
        String json = Json.mapper().writeValueAsString(request);
        return ("POST /v1/bundles HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer " + TestService.TOKEN
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] readAnswer(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        assertThat(head).startsWith("HTTP/1.1 200");
        int length = head.toString()
                .lines()
                .filter(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
        byte[] body = new byte[length];
        in.readFully(body);
        return body;
    }

    @Test
    void theServiceReachesItsSockets() {
        TestService service = service();
        assertThat(service.protocol()).isEqualTo(DirectHttpProtocol.class);
    }
}
