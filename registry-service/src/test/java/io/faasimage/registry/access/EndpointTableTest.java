package io.faasimage.registry.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The table has every endpoint of the running service, those of libraries included, and no other. */
class EndpointTableTest extends ServiceTest {
    @BeforeAll
    static void start() {
        service = TestService.start(data);
    }

    @Test
    void everyEndpointHasAnEntryAndEveryEntryAnEndpoint() {
        assertThat(mapped())
                .as("add a new endpoint to EndpointTable with what it requires")
                .containsExactlyInAnyOrderElementsOf(
                        service.part(EndpointTable.class).all().keySet());
    }

    /** An endpoint that is mapped in another way than by a controller's methods would be in no list. */
    @Test
    void onlyMethodsOfControllersAnswer() {
        for (HandlerMapping mapping : service.parts(HandlerMapping.class)) {
            if (mapping instanceof AbstractUrlHandlerMapping urls) {
                assertThat(urls.getHandlerMap()).as("%s", mapping).isEmpty();
            }
        }
    }

    private static Set<Endpoint> mapped() {
        Set<Endpoint> found = new HashSet<>();
        for (RequestMappingInfoHandlerMapping mapping : service.parts(RequestMappingInfoHandlerMapping.class)) {
            mapping.getHandlerMethods().keySet().forEach(info -> add(info, found));
        }
        return found;
    }

    private static void add(RequestMappingInfo info, Set<Endpoint> found) {
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        for (String pattern : info.getPatternValues()) {
            if (methods.isEmpty()) {
                found.add(new Endpoint(Endpoint.ANY, pattern));
            }
            methods.forEach(method -> found.add(new Endpoint(method.name(), pattern)));
        }
    }
}
