package yarn;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.core.MediaType;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.service.api.records.Service;
import org.apache.hadoop.yarn.service.utils.ServiceApiUtil;
import org.apache.hadoop.yarn.service.utils.SliderFileSystem;
import org.apache.hadoop.yarn.webapp.YarnJacksonJaxbJsonProvider;
import referee.Answer.Kind;

/** The two ways to submit a service, and the checks of the engine before it accepts one. */
enum Door {
    /** `yarn app -launch`: the client parses the file and sends the result. */
    LAUNCH {
        @Override
        String sent(String text) throws IOException {
            return ServiceApiUtil.jsonSerDeser.toJson(ServiceApiUtil.jsonSerDeser.fromJson(text));
        }
    },
    /** `POST /app/v1/services` with the bytes of the file. */
    REST {
        @Override
        String sent(String text) {
            return text;
        }
    };

    /** A complaint, without its artifact. */
    record Complaint(String pointer, Kind kind, String words) {}

    /** The result for a file: the service object of the engine, or null if it is refused. */
    record Passage(Service service, JsonNode understood, List<Complaint> complaints) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper SERVER = new YarnJacksonJaxbJsonProvider()
        .locateMapper(Service.class, MediaType.APPLICATION_JSON_TYPE);

    /** Returns the bytes that the server receives. */
    abstract String sent(String text) throws IOException;

    /** Returns the object that the server reads. */
    static Service read(String body) throws IOException {
        Service service = SERVER.readValue(body, Service.class);
        if (service == null) {
            throw new IOException("the document is null");
        }
        return service;
    }

    /** Submits a file. */
    Passage pass(String text, SliderFileSystem fs, Configuration conf) {
        List<Complaint> complaints = new ArrayList<>();
        try {
            Service service = read(sent(text));
            Difference difference = new Difference((at, kind, words) ->
                complaints.add(new Complaint(at, kind, words)));
            // The server writes enum values as it reads them; the client spells some differently.
            difference.between("", JSON.readTree(text), SERVER.valueToTree(service));
            ServiceApiUtil.validateAndResolveService(service, fs, conf);
            ServiceApiUtil.validateCompResourceSize(largest(conf), service);
            String options = service.getConfiguration().getProperty("yarn.service.am.java.opts");
            if (options != null) {
                ServiceApiUtil.validateJvmOpts(options);
            }
            return new Passage(service, held(service), complaints);
        } catch (Exception refused) {
            complaints.add(new Complaint(pointer(refused), Kind.REFUSED, words(refused)));
            return new Passage(null, null, complaints);
        }
    }

    private static JsonNode held(Service service) throws IOException {
        return JSON.readTree(ServiceApiUtil.jsonSerDeser.toJson(service));
    }

    private static Resource largest(Configuration conf) {
        return Resource.newInstance(conf.getInt("yarn.scheduler.maximum-allocation-mb", 0),
            conf.getInt("yarn.scheduler.maximum-allocation-vcores", 0));
    }

    /** Returns the position of the parser in the document; empty for an error that is not from the parser. */
    private static String pointer(Throwable refused) {
        StringBuilder at = new StringBuilder();
        if (refused instanceof JsonMappingException parse) {
            for (JsonMappingException.Reference step : parse.getPath()) {
                at.append(step.getFieldName() == null ? "/" + step.getIndex()
                    : referee.Answer.step(step.getFieldName()));
            }
        }
        return at.toString();
    }

    /** Returns the message of the engine, which may be in the cause of the exception. */
    private static String words(Throwable refused) {
        boolean silent = refused.getMessage() == null || refused.getMessage().isBlank();
        return silent && refused.getCause() != null ? words(refused.getCause())
            : silent ? refused.getClass().getName() : refused.getMessage();
    }
}
