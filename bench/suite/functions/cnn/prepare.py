"""Writes model.onnx: a convolutional network for pictures of 224 by 224, its weights drawn from a fixed seed."""
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS = (3, 32, 64, 128, 256, 512)
CLASSES = 1000


def main(target):
    chance = numpy.random.default_rng(3)
    weights, nodes, last = [], [], "picture"

    def weight(name, *shape):
        values = chance.normal(0, (2 / numpy.prod(shape[1:])) ** 0.5, shape).astype(numpy.float32)
        weights.append(numpy_helper.from_array(values, name))
        return name

    for i, (inner, outer) in enumerate(zip(CHANNELS, CHANNELS[1:])):
        nodes += [
            helper.make_node("Conv", [last, weight(f"w{i}", outer, inner, 3, 3)], [f"c{i}"], strides=[2, 2], pads=[1] * 4),
            helper.make_node("Relu", [f"c{i}"], [f"r{i}"]),
        ]
        last = f"r{i}"
    nodes += [
        helper.make_node("GlobalAveragePool", [last], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["flat"]),
        helper.make_node("Gemm", ["flat", weight("dense", CLASSES, CHANNELS[-1])], ["scores"], transB=1),
        helper.make_node("Softmax", ["scores"], ["chances"]),
    ]
    shapes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
              for name, shape in (("picture", [1, 3, 224, 224]), ("chances", [1, CLASSES]))]
    graph = helper.make_graph(nodes, "pictures", shapes[:1], shapes[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, target)


main(sys.argv[1])
