package io.faasimage.bench.serving;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.bench.measure.Spread;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The benchmark of a service beside a file server, alternating. */
public final class ServingBench {
    private static final int WARM_UP_ROUNDS = 3;

    private final ServingConfig config;
    private final PrintStream progress;

    /** Progress goes to {@code progress}. */
    public ServingBench(ServingConfig config, PrintStream progress) {
        this.config = config;
        this.progress = progress;
    }

    /** Makes the images, measures, and pulls the first bundle many times. */
    public ServingResult run() throws IOException, InterruptedException {
        String token = Files.readString(config.tokenFile()).strip();
        List<ServingResult.Throughput> throughputs = new ArrayList<>();
        ServiceConfig service = ServiceConfig.of(config.service(), Optional.of(token));
        try (ServiceClient client = new ServiceClient(service)) {
            List<ServedImage> images = new ArrayList<>();
            for (ServingConfig.Contents contents : config.bundles()) {
                images.add(ServedImage.make(config, contents, client));
                progress.println(contents.name() + ": " + images.getLast().bytes() + " bytes");
            }
            for (ServedImage image : images) {
                for (int connections : config.connections()) {
                    throughputs.add(measure(image, connections, token));
                }
            }
            BundleRequest request = images.getFirst().request();
            return new ServingResult(throughputs, new ManyPulls(service, progress).run(request, config.pulls()));
        }
    }

    private ServingResult.Throughput measure(ServedImage image, int connections, String token)
            throws IOException, InterruptedException {
        byte[] post = post(image.request(), token);
        byte[] get = get(image.name());
        int times = (int) Math.ceilDiv(config.roundBytes(), image.bytes() * connections);
        List<Double> service = new ArrayList<>();
        List<Double> fileServer = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        try (Downloads ours = new Downloads(config.service(), post, connections, times, image.bytes());
                Downloads theirs = new Downloads(config.fileServer(), get, connections, times, image.bytes())) {
            for (int round = -WARM_UP_ROUNDS; round < config.rounds(); round++) {
                double a = ours.round();
                double b = theirs.round();
                if (round >= 0) {
                    service.add(a);
                    fileServer.add(b);
                    ratios.add(a / b);
                }
            }
        }
        ServingResult.Throughput result = new ServingResult.Throughput(
                image.name(), image.bytes(), connections, Spread.of(service), Spread.of(fileServer), Spread.of(ratios));
        progress.printf(
                Locale.ROOT,
                "%s, %d connections: %.2f%n",
                image.name(),
                connections,
                result.ratio().median());
        return result;
    }

    private static byte[] post(BundleRequest request, String token) {
        byte[] json = Json.mapper().writeValueAsBytes(request);
        return """
                POST /v1/bundles HTTP/1.1\r
                Host: registry-service\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                %s""".formatted(token, json.length, new String(json, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] get(String name) {
        return "GET /%s HTTP/1.1\r\nHost: file-server\r\n\r\n".formatted(name).getBytes(StandardCharsets.UTF_8);
    }
}
