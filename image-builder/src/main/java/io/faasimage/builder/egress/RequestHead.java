package io.faasimage.builder.egress;

import io.faasimage.format.id.Host;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a request to a proxy (RFC 9112, sections 3.2.2 and 3.2.3).
 *
 * @param target host and port that it is for
 * @param tunnel whether a connection is requested (CONNECT), not a document
 * @param line its first line for {@code target} itself; empty for a tunnel
 * @param fields the lines behind it, each with its end, without those for the proxy alone
 * @param bodyBytes length of the document that is sent; 0 for a tunnel
 */
record RequestHead(Host target, boolean tunnel, String line, String fields, long bodyBytes) {
    private static final int MOST_BYTES = 32 << 10;
    private static final int HTTP_PORT = 80;
    private static final Pattern FIRST = Pattern.compile("([A-Z]+) (\\S+) (HTTP/1\\.[01])");
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]{1,18})\r\n");
    private static final Pattern CHUNKED = Pattern.compile("(?im)^transfer-encoding:");
    private static final Pattern FOR_PROXY = Pattern.compile("(?im)^(?:proxy-[a-z-]+|connection|keep-alive):.*\r\n");

    /**
     * Reads a head to its empty line.
     *
     * @throws ProtocolException when it is none, too long, or ambiguous: another proxy may read it
     */
    static RequestHead read(InputStream in) throws IOException {
        String head = head(in);
        int end = head.indexOf("\r\n");
        Matcher first = FIRST.matcher(head.substring(0, end));
        if (!first.matches()) {
            throw new ProtocolException("no request to a proxy");
        }
        String fields = head.substring(end + 2, head.length() - 2);
        try {
            if (first.group(1).equals("CONNECT")) {
                return new RequestHead(withPort(Host.parse(first.group(2)), -1), true, "", fields, 0);
            }
            URI uri = URI.create(first.group(2));
            if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
                throw new ProtocolException("a proxy takes requests with http:// addresses");
            }
            String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return new RequestHead(
                    withPort(new Host(uri.getHost(), uri.getPort()), HTTP_PORT),
                    false,
                    first.group(1) + " " + path + query + " " + first.group(3) + "\r\n",
                    FOR_PROXY.matcher(fields).replaceAll("") + "Connection: close\r\n",
                    bodyBytes(fields));
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("no address: " + e.getMessage());
        }
    }

    private static long bodyBytes(String fields) throws ProtocolException {
        List<String> lengths =
                LENGTH.matcher(fields).results().map(length -> length.group(1)).toList();
        if (lengths.size() > 1 || CHUNKED.matcher(fields).find()) {
            throw new ProtocolException("a document that is sent must have one Content-Length");
        }
        return lengths.isEmpty() ? 0 : Long.parseLong(lengths.getFirst());
    }

    private static Host withPort(Host host, int usual) throws ProtocolException {
        int port = host.port() < 0 ? usual : host.port();
        if (port < 1 || port > 0xffff || host.name().isEmpty()) {
            throw new ProtocolException("no address of a host");
        }
        return new Host(host.name(), port);
    }

    /** The first lines of a message, to the empty one, which is a part of it. */
    static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || head.length() == MOST_BYTES) {
                throw new ProtocolException("the head of a message ends too early or is too long");
            }
            head.append((char) next);
        }
        if (!head.toString().replace("\r\n", "").chars().allMatch(c -> c >= ' ' || c == '\t')) {
            throw new ProtocolException("the head of a message has control characters");
        }
        return head.toString();
    }

    byte[] bytes(String firstLine, String more) {
        return (firstLine + more + fields + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
