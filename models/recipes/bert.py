"""A BERT encoder (Devlin et al., NAACL 2019) written out, so that its ONNX graph is plain and its training needs no more
than PyTorch; reads and writes the files of the `transformers` library."""

import json
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional

# Of the library's names, as prefix or part, to ours.
EMBEDDINGS = {
    "embeddings.word_embeddings.weight": "word.weight",
    "embeddings.position_embeddings.weight": "position.weight",
    "embeddings.token_type_embeddings.weight": "kind.weight",
    "embeddings.LayerNorm.weight": "norm.weight",
    "embeddings.LayerNorm.bias": "norm.bias",
}
PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "output_norm",
}
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, inner: int, epsilon: float):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, eps=epsilon)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, eps=epsilon)
        # Of what a layer adds, while it is taught; a lesson may set it (Srivastava et al., JMLR 2014).
        self.dropout = nn.Dropout(0.0)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        by_head = lambda linear: linear(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        query, key, value = by_head(self.query), by_head(self.key), by_head(self.value)
        attention = (query @ key.transpose(-1, -2)) * (width // self.heads) ** -0.5 + bias.to(query.dtype)
        mixed = torch.softmax(attention, -1).to(value.dtype) @ value
        x = self.attention_norm(x + self.dropout(self.out(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.output_norm(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class Bert(nn.Module):
    """Ids, mask and types of shape (batch, length) to the last hidden states, (batch, length, width)."""

    def __init__(self, config: dict):
        super().__init__()
        self.config = config
        width, epsilon = config["hidden_size"], config["layer_norm_eps"]
        self.word = nn.Embedding(config["vocab_size"], width)
        self.position = nn.Embedding(config["max_position_embeddings"], width)
        self.kind = nn.Embedding(config["type_vocab_size"], width)
        self.norm = nn.LayerNorm(width, eps=epsilon)
        layer = lambda: Layer(width, config["num_attention_heads"], config["intermediate_size"], epsilon)
        self.layers = nn.ModuleList([layer() for _ in range(config["num_hidden_layers"])])

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.word(ids) + self.position(positions) + self.kind(types))
        bias = ((1 - mask.to(x.dtype)) * -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, bias)
        return x


class CrossEncoder(nn.Module):
    """Ids, mask and types of a question and a passage as one, (batch, length), to log odds, (batch, 1); as the library's
    BertForSequenceClassification has it."""

    def __init__(self, body: Bert):
        super().__init__()
        width = body.config["hidden_size"]
        self.body, self.pooler, self.classifier = body, nn.Linear(width, width), nn.Linear(width, 1)
        nn.init.eye_(self.pooler.weight)
        nn.init.zeros_(self.pooler.bias)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.tanh(self.pooler(self.body(ids, mask, types)[:, 0])))


# Of the library's names of a cross-encoder's head to ours.
HEAD = {"bert.pooler.dense": "pooler", "classifier": "classifier"}


def names_of(config: dict) -> dict[str, str]:
    names = dict(EMBEDDINGS)
    for at in range(config["num_hidden_layers"]):
        for theirs, ours in PARTS.items():
            for kind in ("weight", "bias"):
                names[f"encoder.layer.{at}.{theirs}.{kind}"] = f"layers.{at}.{ours}.{kind}"
    return names


def load(folder: Path) -> Bert:
    config = json.loads((folder / "config.json").read_text())
    names = names_of(config)
    tensors = {name.removeprefix("bert."): value for name, value in load_file(folder / "model.safetensors").items()}
    model = Bert(config)
    model.load_state_dict({names[name]: value for name, value in tensors.items() if name in names})
    return model


def save(model: Bert, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = {ours: theirs for theirs, ours in names_of(model.config).items()}
    tensors = {names[name]: value.contiguous().clone() for name, value in model.state_dict().items()}
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(model.config, indent=1) + "\n")


def load_cross_encoder(folder: Path) -> CrossEncoder:
    """What `save_cross_encoder` wrote; of an encoder alone, one with an untaught head."""
    model = CrossEncoder(load(folder))
    tensors = load_file(folder / "model.safetensors")
    for theirs, ours in HEAD.items():
        for kind in ("weight", "bias"):
            if f"{theirs}.{kind}" in tensors:
                getattr(getattr(model, ours), kind).data.copy_(tensors[f"{theirs}.{kind}"])
    return model


def save_cross_encoder(model: CrossEncoder, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = {f"body.{ours}": f"bert.{theirs}" for theirs, ours in names_of(model.body.config).items()}
    names |= {f"{ours}.{kind}": f"{theirs}.{kind}" for theirs, ours in HEAD.items() for kind in ("weight", "bias")}
    save_file({names[name]: value.contiguous().clone() for name, value in model.state_dict().items()}, folder / "model.safetensors")
    config = model.body.config | {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "relevant"}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def export(model: Bert | CrossEncoder, path: Path) -> None:
    """The fp32 graph, with the inputs that transformers.js gives and batch and length left open."""
    model = model.eval().float()
    ids = torch.randint(5, 1000, (2, 16))
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS}
    output = "logits" if isinstance(model, CrossEncoder) else "last_hidden_state"
    axes[output] = {0: "batch"} if output == "logits" else {0: "batch", 1: "length"}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(path),
        opset_version=17,
        dynamo=False,
        input_names=INPUTS,
        output_names=[output],
        dynamic_axes=axes,
    )


# What a few channels of its input are far beyond the rest in. An encoder that keeps it in fp32 has a cosine to fp32 of .992
# in the mean and .971 at the least in place of .990 and .965; a re-ranker's probabilities are .022 off in place of .032.
KEPT_FP32 = {"encoder": ["/layers.0/down/MatMul"], "reranker": ["/body/layers.2/down/MatMul"]}


def quantize(fp32: Path, int8: Path, kept_fp32: list[str]) -> None:
    """Signed 8-bit weights, one scale a channel: closer to fp32 than unsigned ones per tensor, and faster with VNNI."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(fp32),
        str(int8),
        weight_type=QuantType.QInt8,
        per_channel=True,
        nodes_to_exclude=kept_fp32,
        extra_options={"MatMulConstBOnly": True},
    )


# A page of memory: what is smaller stays in the graph.
BESIDE_BYTES = 4096


def put_weights_beside(graph: Path, out: Path) -> None:
    """The graph as `out`, its large tensors as `out`_data beside it: ONNX Runtime maps that file, and copies a graph's own.

    Both are renamed into place, never written over: a service that has the old ones mapped goes on with them.
    """
    import onnx
    from onnx.external_data_helper import convert_model_to_external_data

    model = onnx.load(graph)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        data = f"{out.name}_data"
        convert_model_to_external_data(model, all_tensors_to_one_file=True, location=data, size_threshold=BESIDE_BYTES)
        onnx.save(model, Path(folder) / out.name)
        for name in (data, out.name):
            made = Path(folder) / name
            made.chmod(0o644)  # The data come readable for their owner alone, and a container's service is somebody else.
            made.replace(out.parent / name)
