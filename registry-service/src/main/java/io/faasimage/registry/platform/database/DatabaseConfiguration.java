package io.faasimage.registry.platform.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.faasimage.registry.platform.config.DatabaseSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** The service's pools, and the connection of its own that migrations have: they may take as long as they need. */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    @Bean
    ConnectionPools dataSource(DataSourceProperties properties, DatabaseSettings settings, Environment environment) {
        HikariDataSource serving = pool("serving", properties, environment);
        HikariDataSource background = pool("background", properties, environment);
        background.setMaximumPoolSize(settings.backgroundConnections());
        background.setConnectionTimeout(settings.backgroundWait().toMillis());
        if (isPostgres(properties)) {
            serving.setConnectionInitSql(sql(serving, SessionLimits.serving()));
            background.setConnectionInitSql(sql(background, SessionLimits.background()));
        }
        return new ConnectionPools(serving, background);
    }

    private static boolean isPostgres(DataSourceProperties properties) {
        return properties.determineUrl().startsWith("jdbc:postgresql:");
    }

    private static HikariDataSource pool(String name, DataSourceProperties properties, Environment environment) {
        HikariDataSource pool = properties
                .initializeDataSourceBuilder()
                .type(HikariDataSource.class)
                .build();
        pool.setPoolName(name);
        Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
        return pool;
    }

    /** The operator's own statement for new connections comes last. */
    private static String sql(HikariDataSource pool, SessionLimits limits) {
        String wanted = pool.getConnectionInitSql();
        return wanted == null ? limits.sql() : limits.sql() + "; " + wanted;
    }

    @Bean(defaultCandidate = false)
    @FlywayDataSource
    DataSource migrations(DataSourceProperties properties, ConnectionPools pools) {
        return isPostgres(properties)
                ? properties
                        .initializeDataSourceBuilder()
                        .type(SimpleDriverDataSource.class)
                        .build()
                : pools;
    }

    @Bean
    MeterBinder poolMeters(ConnectionPools pools) {
        return registry -> {
            List<HikariDataSource> all = pools.all();
            all.forEach(pool -> pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry)));
        };
    }
}
