"""Writes the finished table as the files transformers.js loads: int8 rows, one float scale per row.

The graph gathers rows and multiplies each by its scale, so `last_hidden_state` holds one vector per token and
mean pooling, which the caller does, gives the text's vector. No weight is stored twice.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, processors

TOKENS_MAX = 512


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric int8 per row: rows ~ table * scale."""
    rows = rows / np.linalg.norm(rows, axis=1).mean()
    scale = np.abs(rows).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1e-8
    return np.clip(np.round(rows / scale), -127, 127).astype(np.int8), scale.astype(np.float32)


def graph(table: np.ndarray, scale: np.ndarray) -> onnx.ModelProto:
    """Gather, scale, mask. The mask is folded in, so padded places are zero vectors."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0),
        helper.make_node("Cast", ["rows"], ["rows_float"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["row_scale", "input_ids"], ["scale"], axis=0),
        helper.make_node("Mul", ["rows_float", "scale"], ["vectors"]),
        helper.make_node("Cast", ["attention_mask"], ["mask_float"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask_float", "last_axis"], ["mask"]),
        helper.make_node("Mul", ["vectors", "mask"], ["last_hidden_state"]),
    ]
    shape = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, table.shape[1]])
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(scale, "row_scale"),
        numpy_helper.from_array(np.array([2], np.int64), "last_axis"),
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "static_embedding", inputs, [output], constants),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
        producer_name="verbatim",
    )
    onnx.checker.check_model(model)
    return model


def write_json(path: Path, content: dict) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_model(folder: Path, tokenizer: Tokenizer, rows: np.ndarray) -> None:
    """Write config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    table, scale = quantise(rows)
    onnx.save(graph(table, scale), folder / "onnx" / "model_quantized.onnx")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    (folder / "tokenizer.json").write_text(tokenizer.to_str(pretty=False) + "\n", encoding="utf-8")
    write_json(
        folder / "config.json",
        {
            "model_type": "bert",
            "architectures": ["BertModel"],
            "hidden_size": table.shape[1],
            "num_hidden_layers": 0,
            "num_attention_heads": 1,
            "intermediate_size": table.shape[1],
            "vocab_size": len(table),
            "max_position_embeddings": TOKENS_MAX,
            "pad_token_id": 0,
            "type_vocab_size": 1,
        },
    )
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "strip_accents": False,
            "tokenize_chinese_chars": True,
            "model_max_length": TOKENS_MAX,
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "mask_token": "[MASK]",
        },
    )
