"""A WebSocket client (RFC 6455), which sends and receives texts."""
import base64, secrets, socket, ssl, struct, threading
from urllib.parse import urlparse


class Closed(Exception):
    pass


class WebSocket:
    def __init__(self, url, protocol):
        to = urlparse(url)
        secure = to.scheme == "wss"
        self.socket = socket.create_connection((to.hostname, to.port or (443 if secure else 80)), timeout=10)
        if secure:
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=to.hostname)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [f"GET {to.path or '/'} HTTP/1.1", f"Host: {to.netloc}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {protocol}"]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline().decode(errors="replace").strip()
        if " 101 " not in status + " ":
            raise Closed(f"The server did not accept the WebSocket, it answered: {status}. Check the address; it ends in /units.")
        while self.stream.readline().strip():
            pass
        self.socket.settimeout(None)
        self.sending = threading.Lock()

    def send(self, data, opcode=1):
        mask = secrets.token_bytes(4)
        size = len(data)
        head = struct.pack("!BB", 128 | opcode, 128 | size) if size < 126 else \
            struct.pack("!BBH", 128 | opcode, 254, size) if size < 65536 else struct.pack("!BBQ", 128 | opcode, 255, size)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        with self.sending:
            self.socket.sendall(head + mask + masked)

    def receive(self):
        message = b""
        while True:
            first, second = self.exactly(2)
            size = second & 127
            if size > 125:
                size = int.from_bytes(self.exactly(2 if size == 126 else 8), "big")
            data, opcode = self.exactly(size), first & 15
            if opcode == 8:
                raise Closed("The server closed the connection.")
            if opcode == 9:
                self.send(data, 10)
            if opcode < 8:
                message += data
                if first & 128:
                    return message.decode()

    def exactly(self, size):
        data = self.stream.read(size)
        if len(data) < size:
            raise Closed("The connection ended.")
        return data
