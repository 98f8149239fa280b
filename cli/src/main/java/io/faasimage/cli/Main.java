package io.faasimage.cli;

import io.faasimage.api.client.ServiceException;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.line.CommandLine;
import io.faasimage.cli.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code faasimage} command. */
public final class Main {
    private static final String NOTES = """
              -V, --version             Print the version.

            Exit codes:
              0   Done.
              1   Refused or failed, or the doctor found something missing.
              2   Wrong usage.
              3   No answer: registry-service or the node agent is not running, or at another address.
              70  A bug in this program; FAASIMAGE_DEBUG=1 shows where.

            Environment:
              FAASIMAGE_URL             registry-service, or A,B (default http://127.0.0.1:8980)
              FAASIMAGE_TOKEN           its token (default: that of faasimage login)
              FAASIMAGE_CA              its certificate authorities, a PEM file
              FAASIMAGE_CERT, FAASIMAGE_KEY  a client certificate and its private key, PEM files
              FAASIMAGE_INSECURE        true: send the token to another machine over plain HTTP
              FAASIMAGE_NODE            the node agent's socket (default /run/faasimage/node.sock)
              CONTAINERD_NAMESPACE      namespace of images and containers in containerd (default: default)
              NO_COLOR                  if not empty, output has no colours
            """;
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private Main() {}

    /** Runs the command line and exits. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, System.out.charset());
        int code = run(List.of(args), out, new PrintWriter(System.err, false, System.err.charset()));
        // The exit with a code loads the JVM's logging.
        if (code != ExitCode.DONE) {
            System.exit(code);
        }
    }

    /** Runs the command line {@code words}; the exit code. */
    static int run(List<String> words, PrintWriter out, PrintWriter err) {
        try {
            if (words.size() == 1 && VERSION.contains(words.getFirst())) {
                out.println("faasimage " + version());
                return ExitCode.DONE;
            }
            return CommandLine.run(CommandTable.ROOT, NOTES, words, out, err);
        } catch (IOException | RuntimeException e) {
            return failed(e, err);
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** The version of the jar. */
    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static int failed(Exception failure, PrintWriter err) {
        int code = ExitCode.of(failure);
        @Nullable
        String message = failure instanceof ServiceException refused
                ? refused.detail().orElse(refused.getMessage())
                : failure.getMessage();
        String text = Printable.line(message == null ? failure.toString() : message);
        if (code == ExitCode.FAULT) {
            err.println("error: a bug in faasimage: " + failure.getClass().getSimpleName() + ": " + text
                    + "; FAASIMAGE_DEBUG=1 shows where");
        } else {
            err.println("error: " + text);
        }
        if (System.getenv("FAASIMAGE_DEBUG") != null) {
            failure.printStackTrace(err);
        }
        return code;
    }
}
