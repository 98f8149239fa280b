package io.faasimage.registry;

import io.faasimage.registry.platform.config.BlobSettings;
import io.faasimage.registry.platform.config.BudgetSettings;
import io.faasimage.registry.platform.config.DatabaseSettings;
import io.faasimage.registry.platform.config.GarbageSettings;
import io.faasimage.registry.platform.config.HistorySettings;
import io.faasimage.registry.platform.config.ImageRegistrySettings;
import io.faasimage.registry.platform.config.OidcSettings;
import io.faasimage.registry.platform.config.PageSettings;
import io.faasimage.registry.platform.config.PublishSettings;
import io.faasimage.registry.platform.config.RefactorSettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.config.ServiceAccountSettings;
import io.faasimage.registry.platform.config.SigningSettings;
import io.faasimage.registry.platform.config.TokenSettings;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;

/** The main class of registry-service. */
@SpringBootApplication(proxyBeanMethods = false, exclude = UserDetailsServiceAutoConfiguration.class)
@EnableConfigurationProperties({
    RegistrySettings.class,
    BlobSettings.class,
    BudgetSettings.class,
    DatabaseSettings.class,
    GarbageSettings.class,
    HistorySettings.class,
    ImageRegistrySettings.class,
    OidcSettings.class,
    PageSettings.class,
    PublishSettings.class,
    RefactorSettings.class,
    ServiceAccountSettings.class,
    SigningSettings.class,
    TokenSettings.class
})
public class ServiceApplication {
    /** The application, ready to run. */
    public static SpringApplication create() {
        SpringApplication application = new SpringApplication(ServiceApplication.class);
        application.setLogStartupInfo(false);
        application.addInitializers(new Bootstrap());
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
