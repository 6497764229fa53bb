"""Teaches the re-ranker to say of every token how much it answers, and puts that into its graph; see README.md.

head.py MODEL DUMP [DUMP ...] [--l2 10]

MODEL is the folder of a re-ranker as models/recipes/export.py makes it, DUMP what models/relevance/dump-features.ts wrote. The head is linear
over what the last three layers say of a token, and costs no pass of its own. It is taught, with the weights of the dump's
columns beside it, that the parts that answer have the most of a passage's mass when every part has the mean of its tokens;
those other weights are let go of, since fit.py finds them anew. The output `logits` stays bit by bit what it was.
"""

import argparse
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from logit import L2, OF_RERANKER, centred, fit_weights, label

# As src/score/models/reading.ts names the output; everything of the head in the graph begins with it.
OUTPUT = "answering_tokens"
LAYERS = 3
STATES = "/body/layers.{}/output_norm/LayerNormalization_output_0"
# As src/score/models/tokens/text-encoder.ts has them.
PAIR_TOKENS = 320
START, SEPARATOR = 101, 102


def without_head(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph without a head that it was given before."""
    graph = model.graph
    for kept, name_of in (
        (graph.node, lambda node: node.output[0]),
        (graph.initializer, lambda tensor: tensor.name),
        (graph.output, lambda value: value.name),
    ):
        for entry in [entry for entry in kept if name_of(entry).startswith(OUTPUT)]:
            kept.remove(entry)
    return model


def states_of(model: onnx.ModelProto) -> list[str]:
    """Names of what the last layers say of every token."""
    made = {name for node in model.graph.node for name in node.output}
    layers = [STATES.format(at) for at in range(64) if STATES.format(at) in made]
    if len(layers) < LAYERS:
        raise SystemExit("The graph is none that models/recipes/export.py makes of a re-ranker.")
    return layers[-LAYERS:]


def put_head(model: onnx.ModelProto, weights: np.ndarray) -> None:
    """`weights` are (layers, width). They are small enough to lie in the graph itself."""
    graph = model.graph
    said = []
    for at, (state, row) in enumerate(zip(states_of(model), weights)):
        weight = f"{OUTPUT}.weight.{at}"
        graph.initializer.append(numpy_helper.from_array(row.astype(np.float32)[:, None], weight))
        graph.node.append(helper.make_node("MatMul", [state, weight], [f"{OUTPUT}.layer.{at}"]))
        said.append(f"{OUTPUT}.layer.{at}")
    graph.initializer.append(numpy_helper.from_array(np.array([-1], np.int64), f"{OUTPUT}.axis"))
    graph.node.append(helper.make_node("Sum", said, [f"{OUTPUT}.sum"]))
    graph.node.append(helper.make_node("Squeeze", [f"{OUTPUT}.sum", f"{OUTPUT}.axis"], [OUTPUT]))
    graph.output.append(helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", "length"]))


def code_points(text: str, spans: list[list[int]]) -> list[tuple[int, int]]:
    """Spans in UTF-16 units, as TypeScript counts, in code points, as Python does."""
    units = text.encode("utf-16-le")
    at = lambda unit: len(units[: 2 * unit].decode("utf-16-le", "ignore"))
    return [(at(start), at(end)) for start, end in spans]


class Reader:
    """Reads a question and a passage as the service does."""

    def __init__(self, folder: Path, model: onnx.ModelProto):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.states = states_of(model)
        model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self.states)
        # The weights beside the graph may not be reached by a link, so they are copied.
        with tempfile.TemporaryDirectory() as made:
            for data in (folder / "onnx").glob("*_data"):
                shutil.copyfile(data, Path(made) / data.name)
            onnx.save(model, Path(made) / "model.onnx")
            self.session = onnxruntime.InferenceSession(str(Path(made) / "model.onnx"), self.options())

    @staticmethod
    def options() -> onnxruntime.SessionOptions:
        """As src/score/models/network/session.ts has them."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.x64quantprecision", "1")
        return options

    def means(self, passage: dict) -> np.ndarray:
        """(parts, layers × width): the mean of each part's tokens, NaN for a part that was not read."""
        encode = lambda text: self.tokenizer.encode(text, add_special_tokens=False)
        head = f"{passage['context']}\n" if passage["context"] else ""
        query = encode(passage["query"]).ids[: PAIR_TOKENS // 2 - 1]
        body = encode(head + passage["text"])
        tokens = body.ids[: PAIR_TOKENS - 3 - len(query)]
        first = len(query) + 2
        ids = np.array([[START, *query, SEPARATOR, *tokens, SEPARATOR]], np.int64)
        types = (np.arange(ids.shape[1]) >= first).astype(np.int64)[None]
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        states = np.concatenate([state[0] for state in self.session.run(self.states, inputs)], 1)[first:-1]
        begins = np.array([start for start, _ in body.offsets[: len(tokens)]]) - len(head)
        inside = [(begins >= start) & (begins < end) for start, end in code_points(passage["text"], passage["spans"])]
        nothing = np.full(states.shape[1], np.nan, np.float32)
        return np.stack([states[here].mean(0) if here.any() else nothing for here in inside])


def passages_of(path: str) -> Iterator[dict]:
    """The passages of a dump of which some parts answer and some do not, with the columns that are known without the head."""
    columns = json.loads(Path(f"{path}.part-columns.json").read_text())
    known = [at for at, name in enumerate(columns) if name not in OF_RERANKER]
    values = np.fromfile(f"{path}.parts", dtype=np.float32).reshape(-1, len(columns))[:, known]
    at = 0
    # Not splitlines, which takes a page's own line separators for the ends of lines.
    for line in Path(f"{path}.jsonl").read_text().rstrip("\n").split("\n"):
        question = json.loads(line)
        for spans, runs, text in zip(question["spans"], question["runs"], question["texts"]):
            own = values[at : at + len(spans)]
            at += len(spans)
            answers = label(runs, len(spans))
            if answers.any() and not answers.all():
                yield {"query": question["query"], "spans": spans, "answers": answers, "values": own, **text}
    assert at == len(values)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("dumps", nargs="+")
    parser.add_argument("--l2", type=float, default=10.0)
    args = parser.parse_args()
    path = args.model / "onnx" / "model_quantized.onnx"
    plain = lambda: without_head(onnx.load(path, load_external_data=False))
    reader = Reader(args.model, plain())
    groups = []
    for passage in (passage for dump in args.dumps for passage in passages_of(dump)):
        known = [centred(reader.means(passage)), centred(passage["values"])]
        groups.append((np.concatenate(known, 1), passage["answers"]))
    width, columns = groups[0][0].shape[1], passage["values"].shape[1]
    penalties = np.concatenate([np.full(width - columns, args.l2), np.full(columns, L2)])
    weights = fit_weights(groups, penalties)[: width - columns].reshape(LAYERS, -1)
    model = plain()
    put_head(model, weights)
    made = path.with_suffix(".new")
    onnx.save(model, made)
    made.chmod(0o644)
    made.replace(path)
    print(f"{len(groups)} passages; {path.name} {path.stat().st_size} {hashlib.sha256(path.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
