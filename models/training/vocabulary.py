"""The WordPiece vocabulary, learned from the training texts alone.

The trainer of `tokenizers` breaks ties in the order of a hash table that is seeded anew in every run: two runs differ
in about ten of 32 000 tokens and number them differently. train.py therefore keeps a vocabulary that is there.
"""

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

VOCABULARY_SIZE = 32_000
SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# Their passages are not in the prose file.
PASSAGE_SOURCES = ("tldr", "medquad", "wordnet")
# Prose in everyday words counts twice, so that names of programming interfaces do not win the vocabulary.
EVERYDAY_SOURCES = ("openstax", "selqa", "qed", "opensource", "wordnet")


def training_texts(pairs: list[dict], prose: list[dict]):
    for record in prose:
        yield record["text"]
        if record["source"].startswith(EVERYDAY_SOURCES):
            yield record["text"]
    for pair in pairs:
        yield pair["query"]
        if pair["source"] in PASSAGE_SOURCES:
            yield pair["passage"]


def train_tokenizer(pairs: list[dict], prose: list[dict]) -> Tokenizer:
    """BERT's normaliser and splitter, accents kept: in most languages they tell words apart."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCABULARY_SIZE,
        min_frequency=3,
        special_tokens=SPECIAL_TOKENS,
        limit_alphabet=3500,
        show_progress=False,
    )
    tokenizer.train_from_iterator(training_texts(pairs, prose), trainer)
    return tokenizer
