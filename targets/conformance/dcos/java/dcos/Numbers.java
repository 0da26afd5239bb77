package dcos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;

/** Numbers as the package manager stores them: 3.0 becomes the integer 3 before validation and rendering. */
final class Numbers {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Numbers() {}

    /** Returns the document with all integral numbers as integers. */
    static JsonNode whole(JsonNode node) {
        if (node.isNumber()) {
            BigDecimal number = bare(node.decimalValue());
            return number.scale() == 0 ? NODES.numberNode(number.toBigIntegerExact()) : NODES.numberNode(number);
        }
        if (node.isArray()) {
            ArrayNode all = NODES.arrayNode();
            node.forEach(one -> all.add(whole(one)));
            return all;
        }
        if (node.isObject()) {
            ObjectNode all = NODES.objectNode();
            node.fields().forEachRemaining(field -> all.set(field.getKey(), whole(field.getValue())));
            return all;
        }
        return node;
    }

    /** Returns a number as a template renders it. */
    static Object shown(BigDecimal number) {
        BigDecimal bare = bare(number);
        return bare.scale() == 0 ? bare.toBigIntegerExact() : (Object) bare.doubleValue();
    }

    private static BigDecimal bare(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
