package io.faasimage.registry.access.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a client without a token makes the service neither keep its data nor fail. */
class StrangersTest extends ServiceTest {
    private static final int MILLIS = 5000;
    private static final int SENT = 1000;

    @BeforeAll
    static void start() {
        service = TestService.plain(data);
    }

    /** A body that does not end: who waits for its end, to have all of it, does not answer. */
    @ParameterizedTest
    @CsvSource({
        "PUT,/actuator/health,application/x-www-form-urlencoded",
        "PATCH,/nothing,application/x-www-form-urlencoded",
        "DELETE,/ui/sign-in,application/x-www-form-urlencoded",
        "POST,/ui/sign-in,multipart/form-data; boundary=b",
        "GET,/ui/sign-in,Multipart/Form-Data; boundary=b",
        "GET,/actuator/health,multipart/form-data; boundary=b",
        "GET,/v3/api-docs,multipart/form-data; boundary=b",
        "GET,/v1/health,multipart/form-data; boundary=b",
        "POST,/ui/archive,multipart/form-data; boundary=b",
        "POST,/v1/functions,multipart/form-data; boundary=b",
        "POST,/ui/../ui/sign-in;x=y,multipart/form-data; boundary=b",
    })
    void aBodyIsNotWaitedFor(String method, String path, String type) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.base().getPort())) {
            socket.setSoTimeout(MILLIS);
            String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " + type
                    + "\r\nContent-Length: 2000000000\r\n\r\n";
            String begin = "--b\r\nContent-Disposition: form-data; name=\"token\"; filename=\"a\"\r\n\r\n";
            socket.getOutputStream().write((head + begin + "x".repeat(SENT)).getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            byte[] answer = new byte[9];
            try {
                assertThat(socket.getInputStream().readNBytes(answer, 0, answer.length))
                        .isEqualTo(answer.length);
            } catch (SocketTimeoutException e) {
                throw new AssertionError("still reads", e);
            }
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).isEqualTo("HTTP/1.1 ");
            try (Stream<Path> kept = Files.list(service.data().resolve("work"))) {
                assertThat(kept.filter(Files::isRegularFile)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/ui/sign-in?next=%zz,text/html", "/v1/events?subject=%zz,application/problem+json"})
    void parametersThatCannotBeReadAreTheClientsFault(String path, String type) throws Exception {
        for (String query : new String[] {path, path.replace("%zz", "a&".repeat(2000))}) {
            String answer = rawAnswer("GET " + query + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                    + "Authorization: Bearer " + TestService.TOKEN + "\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 400").contains("Content-Type: " + type, "parameters");
        }
    }

    @Test
    void aMediaTypeThatIsNoneIsTheClientsFault() throws Exception {
        assertThat(rawAnswer(
                        "GET /actuator/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAccept: ,\r\n\r\n"))
                .startsWith("HTTP/1.1 406");
    }

    private static String rawAnswer(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.base().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
