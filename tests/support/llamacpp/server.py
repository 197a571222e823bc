"""llama.cpp's server with a model of no knowledge: every weight is zero, every byte a token. What it writes is what a grammar leaves it.

Usage: llamacpp.py MODEL_FILE KEY. Prints the address once it listens; ends when standard input does.
"""
import struct
import sys

EMBEDDING = 32
FEED_FORWARD = 32
CONTEXT = 16384


def byte_tokens():
    """GPT-2's printable stand-ins for the 256 bytes."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = iter(range(0x100, 0x200))
    return [chr(byte) if byte in kept else chr(next(rest)) for byte in range(256)]


def write_model(path):
    """GGUF, version 3: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md"""
    tokens = [*byte_tokens(), "aa", "<s>", "</s>"]
    U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9

    def string(text):
        data = text.encode()
        return struct.pack("<Q", len(data)) + data

    def value(kind, value):
        if kind == STRING:
            return string(value)
        return struct.pack({U32: "<I", I32: "<i", F32: "<f", BOOL: "<?"}[kind], value)

    def entry(key, kind, content):
        if isinstance(content, list):
            body = struct.pack("<IIQ", ARRAY, kind, len(content)) + b"".join(value(kind, item) for item in content)
        else:
            body = struct.pack("<I", kind) + value(kind, content)
        return string(key) + body

    entries = [
        entry("general.architecture", STRING, "llama"),
        entry("general.name", STRING, "nothing"),
        entry("llama.context_length", U32, CONTEXT),
        entry("llama.embedding_length", U32, EMBEDDING),
        entry("llama.block_count", U32, 1),
        entry("llama.feed_forward_length", U32, FEED_FORWARD),
        entry("llama.attention.head_count", U32, 2),
        entry("llama.attention.head_count_kv", U32, 2),
        entry("llama.rope.dimension_count", U32, EMBEDDING // 2),
        entry("llama.attention.layer_norm_rms_epsilon", F32, 1e-5),
        entry("tokenizer.ggml.model", STRING, "gpt2"),
        entry("tokenizer.ggml.pre", STRING, "default"),
        entry("tokenizer.ggml.tokens", STRING, tokens),
        entry("tokenizer.ggml.token_type", I32, [1] * 257 + [3, 3]),
        entry("tokenizer.ggml.merges", STRING, ["a a"]),
        entry("tokenizer.ggml.bos_token_id", U32, 257),
        entry("tokenizer.ggml.eos_token_id", U32, 258),
        entry("tokenizer.ggml.add_bos_token", BOOL, False),
        entry("tokenizer.chat_template", STRING, "{% for message in messages %}{{ message.content }}{% endfor %}"),
    ]
    square = (EMBEDDING, EMBEDDING)
    tensors = {
        "token_embd.weight": (EMBEDDING, len(tokens)),
        "output.weight": (EMBEDDING, len(tokens)),
        "output_norm.weight": (EMBEDDING,),
        "blk.0.attn_norm.weight": (EMBEDDING,),
        "blk.0.attn_q.weight": square,
        "blk.0.attn_k.weight": square,
        "blk.0.attn_v.weight": square,
        "blk.0.attn_output.weight": square,
        "blk.0.ffn_norm.weight": (EMBEDDING,),
        "blk.0.ffn_gate.weight": (EMBEDDING, FEED_FORWARD),
        "blk.0.ffn_up.weight": (EMBEDDING, FEED_FORWARD),
        "blk.0.ffn_down.weight": (FEED_FORWARD, EMBEDDING),
    }
    infos, size = [], 0
    for name, shape in tensors.items():
        infos.append(string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, size))
        count = 1
        for side in shape:
            count *= side
        size += count * 4
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries)) + b"".join(entries) + b"".join(infos)
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % 32) + bytes(size))


def main():
    import xllamacpp

    path, key = sys.argv[1:]
    write_model(path)
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.warmup = False
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


main()
