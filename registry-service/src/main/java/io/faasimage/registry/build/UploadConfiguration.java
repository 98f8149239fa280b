package io.faasimage.registry.build;

import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.RegistrySettings;
import jakarta.servlet.MultipartConfigElement;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;

/** The configuration of uploads: large archives go straight to the disk, up to the limit. */
@Configuration(proxyBeanMethods = false)
class UploadConfiguration {
    @Bean
    MultipartConfigElement multipartConfig(BuildSettings builds, RegistrySettings settings, DataDirectory data) {
        long archive = builds.maxArchive().toBytes();
        // Parts as small as a secret stay in memory: no disk sees them.
        int inMemory = BuildSecrets.MAX_BYTES;
        long others = settings.maxJsonBytes() + (long) BuildSecrets.MAX_SECRETS * BuildSecrets.MAX_BYTES;
        return new MultipartConfigElement(data.work().toString(), archive, archive + others, inMemory);
    }

    @Bean
    MultipartResolver multipartResolver() {
        return new StandardServletMultipartResolver();
    }
}
