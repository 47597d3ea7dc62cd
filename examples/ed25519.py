"""Ed25519 signatures (RFC 8032), on points in extended coordinates. In a product, use the library of your platform."""
import base64, hashlib

SPKI = bytes.fromhex("302a300506032b6570032100")
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        result = add(result, point) if scalar & 1 else result
        point, scalar = add(point, point), scalar >> 1
    return result


def encode(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def decode(data):
    """None if these bytes are no point."""
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    root = pow(square, (P + 3) // 8, P)
    for x in (root, root * pow(2, (P - 1) // 4, P) % P):
        if y < P and x * x % P == square:
            x = P - x if x % 2 != sign else x
            return x, y, 1, x * y % P
    return None


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def number_of(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def expanded(seed):
    """The secret scalar, the prefix of nonces, and the public key."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, digest[32:], encode(times(scalar, BASE))


def public_key_text(seed):
    """The key as the protocol carries it: base64 of SPKI DER."""
    return base64.b64encode(SPKI + expanded(seed)[2]).decode()


def sign(seed, text):
    scalar, prefix, public = expanded(seed)
    nonce = number_of(prefix, text.encode())
    commitment = encode(times(nonce, BASE))
    proof = (nonce + number_of(commitment, public, text.encode()) * scalar) % L
    return base64.b64encode(commitment + proof.to_bytes(32, "little")).decode()


def is_signed(spki, text, signature):
    try:
        key, raw = base64.b64decode(spki)[-32:], base64.b64decode(signature)
    except ValueError:
        return False
    proof, owner, commitment = int.from_bytes(raw[32:], "little"), decode(key), decode(raw[:32])
    if len(raw) != 64 or proof >= L or owner is None or commitment is None:
        return False
    return encode(times(proof, BASE)) == encode(add(commitment, times(number_of(raw[:32], key, text.encode()), owner)))
