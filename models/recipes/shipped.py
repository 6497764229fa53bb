"""Reads the 8-bit weights of a model's folder as it ships back as fp32, so that a lesson can go on from what serves.

The inverse of `bert.quantize` on `bert.export`: a weight is its eight bits less the zero point, times the scale of its tensor
or channel. What was lost in rounding stays lost: log odds and vectors are those of the graph that ships, up to the rounding
of what its layers hand on.
"""

import re
from pathlib import Path

import numpy as np
import torch

GRAPH = Path("onnx") / "model_quantized.onnx"
LINEAR_8_BIT, LINEAR, TRANSPOSED, EIGHT_BIT = "/MatMul_quant", "/MatMul", "_Transposed", "_quantized"


def module_of(node: str, end: str) -> str:
    return node.removesuffix(end).strip("/").replace("/", ".")


def rounded(found: dict[str, np.ndarray], name: str) -> np.ndarray:
    """What an 8-bit tensor stands for; `name` is that of the tensor it was made of."""
    zero_point = found[f"{name}_zero_point"].astype(np.float32)
    return (found[name + EIGHT_BIT].astype(np.float32) - zero_point) * found[f"{name}_scale"]


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    """By the names that the modules of bert.py give them."""
    import onnx

    graph = onnx.load(folder / GRAPH).graph
    found = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: value for name, value in found.items() if re.search(r"\.(weight|bias)$", name)}
    # The embedding tables, and the head, whose one product with a bias has its weights the other way round.
    for name in (name.removesuffix(EIGHT_BIT) for name in found if re.search(rf"\.weight({TRANSPOSED})?{EIGHT_BIT}$", name)):
        value = rounded(found, name)
        weights[name.removesuffix(TRANSPOSED)] = value.T if name.endswith(TRANSPOSED) else value
    # The graph names the products of all other layers after their modules, and their weights by numbers.
    for node in graph.node:
        if node.op_type == "MatMulInteger" and TRANSPOSED not in node.input[1]:
            weights[f"{module_of(node.name, LINEAR_8_BIT)}.weight"] = rounded(found, node.input[1].removesuffix(EIGHT_BIT)).T
        elif node.op_type == "MatMul" and node.input[1] in found:
            weights[f"{module_of(node.name, LINEAR)}.weight"] = found[node.input[1]].T
    return {name: torch.tensor(np.ascontiguousarray(value, np.float32)) for name, value in weights.items()}
