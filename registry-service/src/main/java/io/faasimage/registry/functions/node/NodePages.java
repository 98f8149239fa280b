package io.faasimage.registry.functions.node;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;

/** {@code /ui/nodes}. */
@PageController
public class NodePages {
    /**
     * The content of the nodes' page.
     *
     * @param nodes by name
     */
    public record NodesPage(List<NodeInfo> nodes) {
        public NodesPage {
            nodes = List.copyOf(nodes);
        }
    }

    private final Pages pages;
    private final Nodes nodes;

    NodePages(@Lazy Pages pages, Nodes nodes) {
        this.pages = pages;
        this.nodes = nodes;
    }

    @GetMapping("/ui/nodes")
    ResponseEntity<byte[]> nodes(HttpServletRequest request) {
        return pages.page(request, "nodes", "nodes", new NodesPage(nodes.all()));
    }
}
