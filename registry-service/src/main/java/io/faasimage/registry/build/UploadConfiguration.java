package io.faasimage.registry.build;

import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.RegistrySettings;
import jakarta.servlet.MultipartConfigElement;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;

/** The configuration of uploads: archives go straight to the disk of the builds, up to the limit. */
@Configuration(proxyBeanMethods = false)
class UploadConfiguration {
    @Bean
    MultipartConfigElement multipartConfig(BuildSettings builds, RegistrySettings settings, DataDirectory data) {
        long archive = builds.maxArchive().toBytes();
        return new MultipartConfigElement(data.work().toString(), archive, archive + settings.maxJsonBytes(), 0);
    }

    @Bean
    MultipartResolver multipartResolver() {
        return new StandardServletMultipartResolver();
    }
}
