package io.faasimage.docker.daemon;

import io.faasimage.docker.call.Call;
import io.faasimage.docker.call.CallHandler;
import io.faasimage.docker.command.Command;
import io.faasimage.docker.command.CommandParser;
import io.faasimage.docker.command.InspectFormat;
import io.faasimage.docker.command.UsageException;
import io.faasimage.docker.container.ContainerException;
import io.faasimage.docker.container.ContainerInfo;
import io.faasimage.docker.container.Engine;
import io.faasimage.docker.container.ImageStore;
import io.faasimage.docker.container.StartException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Does what a command line says, and prints and ends as docker does. Thread-safe. */
final class CommandHandler implements CallHandler {
    private static final Logger LOG = System.getLogger(CommandHandler.class.getName());
    /** The version of docker whose command line this is a part of. */
    private static final String VERSION = "20.10.24";

    private static final String DAEMON_ERROR = "Error response from daemon: ";
    private static final int REFUSED = 125;

    private final Engine engine;
    private final ImageStore images;

    CommandHandler(Engine engine, ImageStore images) {
        this.engine = engine;
        this.images = images;
    }

    @Override
    public int handle(List<String> arguments, Call call) throws IOException {
        try {
            return run(CommandParser.parse(arguments), call);
        } catch (UsageException e) {
            call.complain(String.valueOf(e.getMessage()));
            return e.exit();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a command failed", e);
            call.complain(DAEMON_ERROR + e);
            return !arguments.isEmpty() && arguments.getFirst().equals("run") ? REFUSED : 1;
        }
    }

    private int run(Command command, Call call) throws IOException, UsageException {
        return switch (command) {
            case Command.Version version -> version(version, call);
            case Command.ShortVersion _ -> print(call, "Docker version " + VERSION + ", build faasimage");
            case Command.Info _ -> tell(call, this::info);
            case Command.Images image -> tell(call, c -> listed(image, c));
            case Command.Ps ps -> tell(call, c -> list(ps, c));
            case Command.Pull pull -> tell(call, c -> pull(pull.image(), c, false));
            case Command.Run run -> start(run, call);
            case Command.Inspect inspect -> each(call, inspect.containers(), c -> inspect(inspect, c, call));
            case Command.Logs logs -> tell(call, c -> new LogPrinter(c, logs).print(engine));
            case Command.Pause pause ->
                each(call, pause.containers(), c -> {
                    engine.pause(c);
                    call.println(c);
                });
            case Command.Unpause unpause ->
                each(call, unpause.containers(), c -> {
                    engine.unpause(c);
                    call.println(c);
                });
            case Command.Rm rm -> each(call, rm.containers(), c -> remove(c, rm.force(), call));
        };
    }

    private interface Step {
        void run(Call call) throws IOException;
    }

    private interface OneStep {
        void run(String container) throws IOException;
    }

    private static int print(Call call, String line) throws IOException {
        call.println(line);
        return 0;
    }

    private static int tell(Call call, Step step) throws IOException {
        try {
            step.run(call);
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            call.complain(message(e));
            return 1;
        }
    }

    /** Does a step for each container, also after one has failed. */
    private static int each(Call call, List<String> containers, OneStep step) throws IOException {
        int exit = 0;
        for (String container : containers) {
            exit = Math.max(exit, tell(call, _ -> step.run(container)));
        }
        return exit;
    }

    private static String message(Exception e) {
        boolean unknown = e instanceof ContainerException c && c.kind() == ContainerException.Kind.UNKNOWN;
        return (unknown ? "Error: " : DAEMON_ERROR) + e.getMessage();
    }

    private static int version(Command.Version command, Call call) throws IOException, UsageException {
        Optional<String> format = command.format().map(f -> f.replaceAll("\\s", ""));
        if (format.isEmpty()) {
            return print(call, "Client: faasimage, as docker " + VERSION);
        }
        if (format.get().equals("{{.Client.Version}}") || format.get().equals("{{.Server.Version}}")) {
            return print(call, VERSION);
        }
        throw new UsageException(
                "Template parsing error: '" + format.get() + "' is not understood here; {{.Client.Version}} is", 64);
    }

    private void info(Call call) throws IOException {
        List<ContainerInfo> all = engine.list();
        call.println("Containers: " + all.size());
        call.println(
                " Running: " + all.stream().filter(c -> c.state().isAlive()).count());
        call.println("Server Version: " + VERSION + " (faasimage)");
        call.println("Logging Driver: json-file");
    }

    private void listed(Command.Images command, Call call) throws IOException {
        call.println("REPOSITORY                    IMAGE ID");
        if (engine.has(command.image())) {
            String digest = images.digest(command.image()).orElseThrow().hex();
            call.println(images.fullName(command.image()) + "   " + digest.substring(0, 12));
        }
    }

    private void list(Command.Ps ps, Call call) throws IOException {
        for (ContainerInfo container : engine.list()) {
            boolean named =
                    ps.names().isEmpty() || ps.names().stream().anyMatch(name -> matches(name, container.name()));
            if (named && (ps.all() || container.state().isAlive())) {
                call.println(container.id());
            }
        }
    }

    private static boolean matches(Pattern pattern, String name) {
        return pattern.matcher(name).find() || pattern.matcher("/" + name).find();
    }

    private void pull(String image, Call call, boolean quiet) throws IOException {
        String name = images.fullName(image);
        String digest = images.pull(image);
        if (!quiet) {
            call.println("Digest: " + digest);
            call.println("Status: Image is ready for " + image);
            call.println(name);
        }
    }

    private int start(Command.Run run, Call call) throws IOException {
        try {
            if (!engine.has(run.image())) {
                call.complain("Unable to find image '" + run.image() + "' locally");
                pull(run.image(), call, true);
            }
            return print(call, engine.run(run));
        } catch (StartException e) {
            call.println(e.id());
            call.complain("docker: " + message(e) + ".");
            return e.exit();
        } catch (IOException | IllegalArgumentException e) {
            call.complain("docker: " + message(e) + ".");
            return REFUSED;
        }
    }

    private void inspect(Command.Inspect inspect, String reference, Call call) throws IOException {
        ContainerInfo container = engine.find(reference);
        call.println(
                switch (inspect.format()) {
                    case InspectFormat.Address address ->
                        address.network().equals("bridge") ? container.address().orElse("") : "<no value>";
                    case InspectFormat.OutOfMemory _ -> Boolean.toString(engine.ranOutOfMemory(container.id()));
                    case InspectFormat.Status _ -> container.state().word();
                });
    }

    private void remove(String container, boolean force, Call call) throws IOException {
        try {
            engine.remove(container, force);
            call.println(container);
        } catch (ContainerException e) {
            if (!force || e.kind() != ContainerException.Kind.UNKNOWN) {
                throw e;
            }
            // As docker does it: what is wanted is the case.
            call.complain(message(e));
        }
    }
}
