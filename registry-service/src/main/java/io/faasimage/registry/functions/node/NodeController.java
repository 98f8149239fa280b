package io.faasimage.registry.functions.node;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.start.StartBatch;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.platform.problem.ProblemException;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/nodes}: reports of nodes about themselves and their starts. */
@RestController
@RequestMapping(path = "/v1/nodes", produces = MediaType.APPLICATION_JSON_VALUE)
class NodeController {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

    private final Nodes nodes;
    private final Starts starts;

    NodeController(Nodes nodes, Starts starts) {
        this.nodes = nodes;
        this.starts = starts;
    }

    /** Lists the nodes by name. */
    @GetMapping
    List<NodeInfo> all() {
        return nodes.all();
    }

    /** One node. */
    @GetMapping("/{name}")
    NodeInfo get(@PathVariable String name) {
        return nodes.get(checked(name));
    }

    /** A node reports. */
    @PutMapping(path = "/{name}", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void put(@PathVariable String name, @RequestBody NodeReport report) {
        nodes.put(checked(name), report);
    }

    /** A node reports starts. */
    @PostMapping(path = "/{name}/starts", consumes = MediaType.APPLICATION_JSON_VALUE)
    StartBatch.Taken add(@PathVariable String name, @RequestBody StartBatch batch) {
        return starts.add(checked(name), batch.starts());
    }

    private static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw ProblemException.badRequest(
                    "a node's name has 1 to 253 letters, digits, dots, hyphens or underscores, and begins with a letter or"
                            + " digit");
        }
        return name;
    }
}
