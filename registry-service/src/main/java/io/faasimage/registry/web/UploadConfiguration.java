package io.faasimage.registry.web;

import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.RegistrySettings;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;

/** How archives are taken: straight to the disk that builds are done on, up to the limit. */
@Configuration(proxyBeanMethods = false)
class UploadConfiguration {
    /** Where archives are taken, both behind a sign-in; parts that come anywhere else would fill the disk for nothing. */
    private static final Set<String> UPLOADS = Set.of("/v1/functions", "/ui/archive");

    @Bean
    MultipartConfigElement multipartConfig(BuildSettings builds, RegistrySettings settings, DataDirectory data) {
        long archive = builds.maxArchive().toBytes();
        return new MultipartConfigElement(data.work().toString(), archive, archive + settings.maxJsonBytes(), 0);
    }

    @Bean
    MultipartResolver multipartResolver() {
        return new StandardServletMultipartResolver() {
            @Override
            public boolean isMultipart(HttpServletRequest request) {
                return UPLOADS.contains(request.getServletPath()) && super.isMultipart(request);
            }
        };
    }
}
