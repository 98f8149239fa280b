package io.faasimage.docker.network;

import io.faasimage.api.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The network {@code bridge}: a named network namespace for each container, connected by CNI's bridge plugin. A
 * namespace of its own keeps what has to be undone known after the container's process has ended. Thread-safe.
 */
public final class BridgeNetwork {
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final String NAME = "faasimage";
    private static final String VERSION = "0.4.0";
    private static final int LIMIT_SECONDS = 30;

    private final NetworkConfig config;
    private final CniPlugins plugins;

    /**
     * The network that {@code config} describes; the interface is made with the first container.
     *
     * @throws IOException when there are no plugins
     */
    public BridgeNetwork(NetworkConfig config) throws IOException {
        this.config = config;
        this.plugins = CniPlugins.in(config.plugins());
    }

    private static String name(String container) {
        return "faasimage-" + container.substring(0, 12);
    }

    /** The network namespace of a container. */
    public static Path namespace(String container) {
        return NAMESPACES.resolve(name(container));
    }

    /**
     * Makes the container's network namespace and connects it.
     *
     * @return its address
     */
    public String connect(String container) throws IOException {
        ip("netns", "add", name(container));
        ip("-netns", name(container), "link", "set", "lo", "up");
        JsonNode result = Json.mapper().createObjectNode();
        for (ObjectNode plugin : chain()) {
            if (!result.isEmpty()) {
                plugin.set("prevResult", result);
            }
            result = plugins.run(plugin.get("type").asString(), variables("ADD", container), plugin);
        }
        String address = result.path("ips").path(0).path("address").asString("");
        if (!address.contains("/")) {
            throw new IOException("CNI plugin bridge gave container " + container + " no address");
        }
        return address.substring(0, address.indexOf('/'));
    }

    /** Undoes what {@link #connect} did or began. */
    public void disconnect(String container) throws IOException {
        ObjectNode known = Json.mapper().createObjectNode();
        known.put("cniVersion", VERSION);
        known.putArray("interfaces");
        ArrayNode addresses = known.putArray("ips");
        for (String address : leased(container)) {
            addresses.addObject().put("version", "4").put("address", address + "/32");
        }
        for (ObjectNode plugin : chain().reversed()) {
            plugin.set("prevResult", known);
            plugins.run(plugin.get("type").asString(), variables("DEL", container), plugin);
        }
        if (Files.exists(namespace(container))) {
            ip("netns", "delete", name(container));
        }
    }

    /** The container's addresses as host-local keeps them: a file for each, which begins with the container's ID. */
    private List<String> leased(String container) throws IOException {
        Path directory = config.leases().resolve(NAME);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<String> addresses = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[0-9]*")) {
            for (Path file : files) {
                if (owner(file).equals(container)) {
                    addresses.add(file.getFileName().toString());
                }
            }
        }
        return addresses;
    }

    private static String owner(Path lease) throws IOException {
        try {
            return Files.readString(lease).lines().findFirst().orElse("");
        } catch (NoSuchFileException e) {
            // Another container gave it back meanwhile.
            return "";
        }
    }

    private static Map<String, String> variables(String command, String container) {
        boolean gone = command.equals("DEL") && !Files.exists(namespace(container));
        return Map.of(
                "CNI_COMMAND",
                command,
                "CNI_CONTAINERID",
                container,
                "CNI_IFNAME",
                "eth0",
                "CNI_NETNS",
                gone ? "" : namespace(container).toString());
    }

    private List<ObjectNode> chain() {
        List<ObjectNode> chain = new ArrayList<>();
        ObjectNode bridge = plugin("bridge");
        bridge.put("bridge", config.bridge());
        bridge.put("isGateway", true);
        bridge.put("ipMasq", config.masquerade());
        bridge.put("hairpinMode", true);
        ObjectNode addresses = bridge.putObject("ipam");
        addresses.put("type", "host-local");
        addresses.put("dataDir", config.leases().toString());
        addresses.putArray("ranges").addArray().addObject().put("subnet", config.subnet());
        addresses.putArray("routes").addObject().put("dst", "0.0.0.0/0");
        chain.add(bridge);
        if (config.masquerade() && plugins.has("firewall")) {
            chain.add(plugin("firewall"));
        }
        return chain;
    }

    private static ObjectNode plugin(String type) {
        ObjectNode plugin = Json.mapper().createObjectNode();
        plugin.put("cniVersion", VERSION);
        plugin.put("name", NAME);
        plugin.put("type", type);
        return plugin;
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String attempt = "could not run `" + String.join(" ", command) + "`";
        try {
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readNBytes(8192), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(attempt + ": it did not end in " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(attempt + ": " + out.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(attempt + ": interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
