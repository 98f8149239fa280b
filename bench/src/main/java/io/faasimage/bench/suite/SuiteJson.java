package io.faasimage.bench.suite;

import io.faasimage.api.rest.Json;
import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.util.LinkedHashMap;
import java.util.Map;

/** A result for programs: the spread of every value, all samples, the geometric means and the failures. */
public final class SuiteJson {
    private SuiteJson() {}

    /** The JSON document; times in seconds. */
    public static String format(SuiteResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (result.facts() != null) {
            document.put("facts", result.facts());
        }
        document.put("geometricMeanRatio", result.geometricMeans());
        document.put("series", result.series().stream().map(SuiteJson::document).toList());
        document.put("failures", result.failures());
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    private static Map<String, Object> document(Series series) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("function", series.function());
        document.put("system", series.system());
        document.put("pull", series.cold(StartTimes::pull));
        document.put("start", series.cold(StartTimes::start));
        document.put("answer", series.cold(StartTimes::answer));
        document.put("total", series.total());
        document.put("warmStart", series.warm(StartTimes::start));
        document.put("warmAnswer", series.warm(StartTimes::answer));
        document.put("warm", series.warm(StartTimes::total));
        document.put("answerBytes", series.spread(ColdStart::answerBytes));
        document.put("bytes", series.spread(ColdStart::bytes));
        document.put("warmBytes", series.spread(ColdStart::warmBytes));
        document.put("diskBytes", series.spread(ColdStart::diskBytes));
        document.put("cpuSeconds", series.spread(ColdStart::cpuSeconds));
        document.put("peakBytes", series.spread(ColdStart::allPeakBytes));
        document.put("samples", series.samples());
        return document;
    }
}
