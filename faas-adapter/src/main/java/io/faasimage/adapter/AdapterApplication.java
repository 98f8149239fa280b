package io.faasimage.adapter;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The main class of faas-adapter: the proxy on {@code faasimage.listen}, health and metrics on {@code server.port}. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class AdapterApplication {
    /** The application, ready to run. */
    public static SpringApplication create() {
        SpringApplication application = new SpringApplication(AdapterApplication.class);
        application.setLogStartupInfo(false);
        return application;
    }

    /**
     * Runs until it is stopped; ends with 1 when it cannot start, after a line on standard error that says why.
     */
    public static void main(String[] args) {
        try {
            create().run(args);
        } catch (RuntimeException e) {
            // StartFailureReporter has reported why.
            System.exit(1);
        }
    }
}
