#!/usr/bin/env python3
"""A small door controller for the Portcullis unit protocol (docs/unit-protocol.md), with Python's standard library only.

    python3 examples/unit.py --url ws://127.0.0.1:7000/units --code CODE --data FOLDER

It keeps its key, log, configuration, door modes and blocked credentials in FOLDER. Lines on the standard input present cards: `card 1 4711 entry`.
It is an example: it evaluates no schedules, PINs or conditions, and denies access wherever a door or rule needs them.
Signatures and the WebSocket are in ed25519.py and websocket.py.
"""
import argparse, base64, hashlib, hmac, json, os, random, re, secrets, sys, threading, time, uuid
from datetime import datetime, timezone
from urllib.parse import urlparse

from ed25519 import is_signed, public_key_text, sign
from websocket import Closed, WebSocket

PROTOCOL = "portcullis.unit.v1"


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(iso):
    return datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp()


def text_of(*lines):
    return "\n".join([PROTOCOL, *(str(line) for line in lines)])


class Store:
    """The unit's disk: after a power cut at any moment it holds the earlier state or the new one."""

    def __init__(self, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(folder, "unit.json")
        self.state = {"seed": secrets.token_hex(32), "enrolled": None, "applied": None, "content": None,
                      "highest": 0, "modes": {}, "blocked": [], "log": str(uuid.uuid4()), "next": 1, "records": []}
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.state.update(json.load(file))
        self.keep()

    def keep(self):
        with open(self.path + ".staged", "w") as file:
            json.dump(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".staged", self.path)


class Unit:
    def __init__(self, url, code, store, serial):
        self.url, self.code, self.serial, self.store, self.state = url, code, serial, store, store.state
        self.socket, self.nonce, self.offset, self.asked = None, "", None, None
        self.staged, self.ran, self.sent, self.welcomed = None, set(), 0, False
        self.lock = threading.RLock()

    def run(self):
        self.record({"type": "unit", "what": "power_on"})
        wait = 0.25
        while True:
            try:
                self.socket = WebSocket(self.url, PROTOCOL)
                while True:
                    frame = json.loads(self.socket.receive())
                    with self.lock:
                        self.receive(frame)
                        wait = 0.25 if self.welcomed else wait
            except (OSError, Closed, ValueError) as error:
                print(f"disconnected: {error}", file=sys.stderr)
            with self.lock:
                self.welcomed, self.nonce, self.staged = False, "", None
            time.sleep(wait / 2 + random.random() * wait / 2)
            wait = min(10, wait * 2)

    def send(self, **frame):
        if frame["type"] in ("hello", "heartbeat"):
            self.asked = (frame["at"], time.monotonic())
        try:
            self.socket.send(json.dumps(frame).encode())
        except OSError:
            pass  # The thread that receives notices, and connects again.

    def receive(self, frame):
        handle = getattr(self, "on_" + str(frame.get("type")), None)
        if handle:  # Frames of a later server are ignored.
            handle(frame)

    # Who it is

    def on_challenge(self, frame):
        seed, self.server_nonce = bytes.fromhex(self.state["seed"]), frame["nonce"]
        if self.state["enrolled"]:
            return self.say_hello()
        self.send(type="enrol", code=self.code, serial=self.serial, model="Example in Python", publicKey=public_key_text(seed),
                  signature=sign(seed, text_of("enrol", frame["nonce"], self.code, self.serial)))

    def on_enrolled(self, frame):
        self.state["enrolled"] = {"unit": frame["unit"], "secret": frame["secret"], "serverKeys": [frame["serverKey"]]}
        self.store.keep()
        self.say_hello()

    def say_hello(self):
        unit = self.state["enrolled"]["unit"]
        self.nonce = base64.b64encode(secrets.token_bytes(32)).decode()
        modes = [{"door": int(door), "version": mode["version"]} for door, mode in self.state["modes"].items()]
        signature = sign(bytes.fromhex(self.state["seed"]), text_of("hello", self.server_nonce, unit))
        self.send(type="hello", unit=unit, serial=self.serial, firmware="example-1", signature=signature, nonce=self.nonce,
                  applied=self.state["applied"], highestVersion=self.state["highest"], doorModes=modes,
                  blocked=self.state["blocked"], at=now())

    def on_welcome(self, frame):
        self.on_heartbeatAck(frame)  # It has the server's clock, too.
        self.welcomed, self.sent = True, 0
        self.beat()
        self.send_records()
        threading.Thread(target=self.keep_beating, args=(self.socket, frame["heartbeatSeconds"]), daemon=True).start()

    def on_refused(self, frame):
        print(f"refused, {frame['code']}: {frame['message']}", file=sys.stderr)
        if not self.state["enrolled"] and frame["code"] in ("bad_code", "already_enrolled", "serial_mismatch"):
            os._exit(1)  # The same code will be refused again. The disk is up to date.

    def signer_of(self, frame, purpose, *lines, live=False, field="signature"):
        """The key that has signed it, for this connection if it is `live`; None for a forged frame."""
        enrolled = self.state["enrolled"] or {"serverKeys": []}
        text = text_of(purpose, *([self.nonce] if live else []), enrolled.get("unit"), *lines)
        return next((key for key in enrolled["serverKeys"] if is_signed(key, text, frame.get(field, ""))), None)

    def on_serverKey(self, frame):
        enrolled, new = self.state["enrolled"], frame["serverKey"]
        signer = self.signer_of(frame, "serverKey", new, frame["at"])
        if signer or new in enrolled["serverKeys"]:
            enrolled["serverKeys"] = [new, signer] if signer else enrolled["serverKeys"]
            self.store.keep()
            self.send(type="serverKeyKept", serverKey=new)

    # Heartbeats and the server's clock

    def keep_beating(self, connection, every):
        while True:
            time.sleep(every)
            with self.lock:
                if self.socket is not connection or not self.welcomed:
                    return
                self.beat()

    def beat(self, **answer):
        self.send(type="heartbeat", at=now(), pendingEvents=len(self.state["records"]), applied=self.state["applied"], **answer)

    def on_heartbeatRequest(self, frame):
        self.beat(request=frame["id"])

    def on_heartbeatAck(self, frame):
        at, since = self.asked
        signer = self.signer_of(frame, "clock", at, frame["at"], live=True)
        if signer:
            if signer != self.state["enrolled"]["serverKeys"][-1]:  # The earlier key is no longer needed.
                self.state["enrolled"]["serverKeys"] = [signer]
                self.store.keep()
            self.offset = seconds_of(frame["at"]) - since  # At most: no command is run late.

    # Configuration and door modes

    def on_config(self, frame):
        self.staged = (frame, [])

    def on_configChunk(self, frame):
        if not self.staged or self.staged[0]["version"] != frame["version"]:
            return
        config, chunks = self.staged
        chunks.append(base64.b64decode(frame["data"]))
        if len(chunks) < config["chunks"]:
            return
        self.staged, data, version = None, b"".join(chunks), config["version"]
        fault = self.fault_of(config, data)
        if fault:
            return self.send(type="configRejected", version=version, reason=fault)
        applied = {"version": version, "hash": config["hash"]}
        content = json.loads(data)
        known = {credential["_id"] for credential in content["credentials"].values()}
        blocked = [one for one in self.state["blocked"] if one in known]
        self.state.update(applied=applied, content=content, highest=version, blocked=blocked)
        self.store.keep()
        self.send(type="configApplied", **applied)

    def fault_of(self, config, data):
        version, digest = config["version"], config["hash"]
        if not self.signer_of(config, "config", version, config["base"] or "snapshot", digest):
            return "bad_signature"
        if hashlib.sha256(data).hexdigest() != digest:
            return "bad_hash"
        if version <= self.state["highest"] and self.state["applied"] != {"version": version, "hash": digest}:
            return f"old_version: {version} is not above {self.state['highest']}"
        return None

    def on_blocklist(self, frame):
        block, unblock = frame["block"], frame["unblock"]
        lines = [f"block {one}" for one in block] + [f"unblock {one}" for one in unblock]
        if self.signer_of(frame, "blocklist", *lines, live=True):
            kept = [one for one in self.state["blocked"] if one not in block + unblock]
            self.state["blocked"] = (kept + block)[-200:]
            self.store.keep()

    def on_doorMode(self, frame):
        door, until = frame["door"], frame["until"] or "open end"
        lines = (frame["doorId"] or "no door", door, frame["version"], frame["mode"], until)
        if not self.signer_of(frame, "modeOfDoor", *lines, field="doorSignature"):
            return
        stored = self.state["modes"].get(str(door))
        if not stored or frame["version"] > stored["version"]:
            stored = {key: frame[key] for key in ("version", "mode", "until", "doorId")}
            groups = frame.get("mayPass", [])
            lines = (frame["doorId"] or "no door", door, frame["version"], *(" ".join(one) for one in groups))
            if groups and self.signer_of(frame, "mayPass", *lines, field="mayPassSignature"):
                stored["mayPass"] = groups
            self.state["modes"][str(door)] = stored
            self.store.keep()
        reported = {key: stored[key] for key in ("doorId", "mode", "until", "mayPass") if key in stored}
        self.send(type="doorModeApplied", door=door, version=stored["version"], stored=reported)

    def mode_of(self, number, door):
        stored = self.state["modes"].get(str(number))
        if stored and (stored["doorId"] == door["_id"] or stored["mode"] in ("blocked", "lockdown")):
            return "normal" if has_passed(stored["until"]) else stored["mode"]
        mode = "normal" if has_passed(door.get("modeUntil")) else door["mode"]
        return "normal" if stored and mode == "unlocked" else mode

    def may_pass(self, number, door, holder):
        """Whether each lockdown of the door lets a group of the holder pass."""
        stored = self.state["modes"].get(str(number), {})
        if not holder or stored.get("doorId") != door["_id"]:
            return False
        lists = stored.get("mayPass", [])
        return bool(lists) and all(set(one) & set(holder["access"]) for one in lists)

    # Commands and cards

    def on_command(self, frame):
        outcome = self.run_command(frame)
        if outcome:
            self.send(type="commandResult", id=frame["id"], **outcome)

    def run_command(self, frame):
        door = frame["door"]
        lines = (frame["id"], frame["action"], frame["doorId"] or "no door", door, frame["timeToLiveMs"],
                 frame.get("request", "no request"), frame["at"])
        if not self.signer_of(frame, "doorCommand", *lines, live=True, field="doorSignature"):
            return {"outcome": "refused", "detail": "not_signed"}
        if frame["id"] in self.ran:
            return None
        if self.offset is None:
            return {"outcome": "refused", "detail": "clock_unknown"}
        self.ran.add(frame["id"])
        age = time.monotonic() + self.offset - seconds_of(frame["at"])
        if age * 1000 > frame["timeToLiveMs"]:
            return {"outcome": "expired"}
        fault = self.obstacle(door, frame["doorId"])
        # This unit has no contacts, so it cannot know whether the other doors of an interlock are closed.
        for field, reason in (("interlock", "interlock"), ("sharedInterlock", "interlock_unavailable")):
            if not fault and self.state["content"]["doors"][str(door)].get(field):
                fault = reason
        if fault:
            return {"outcome": "refused", "detail": fault}
        self.open(door)
        self.record({"type": "door", "door": door, "what": "unlocked_once", "command": frame["id"]})
        return {"outcome": "done"}

    def obstacle(self, number, door_id=None):
        content = self.state["content"]
        door = content and content["doors"].get(str(number))
        if not door:
            return "door_unknown"
        if door_id not in (None, door["_id"]):
            return "door_rewired"
        if not content["inService"]:
            return "unit_out_of_service"
        if not door["enabled"]:
            return "door_disabled"
        return {"lockdown": "door_locked_down", "blocked": "door_blocked"}.get(self.mode_of(number, door))

    def decide(self, number, card, direction):
        fault = self.obstacle(number)
        content = self.state["content"]
        if fault and fault != "door_locked_down":
            return fault
        key = hmac.new(base64.b64decode(self.state["enrolled"]["secret"]), card.encode(), hashlib.sha256).hexdigest()
        credential = content["credentials"].get(key)
        holder = credential and content["holders"].get(credential["holder"])
        if fault and not self.may_pass(number, content["doors"][str(number)], holder):
            return fault
        if credential and not holder:
            return "credential_unassigned"
        if not holder or credential.get("kind") == "pin" or credential["_id"] in self.state["blocked"]:
            return "credential_unknown"
        for valid in (credential, holder):
            if valid["validFrom"] and not has_passed(valid["validFrom"]):
                return "not_yet_valid"
            if has_passed(valid["validUntil"]):
                return "expired"
        checked = holder["recertification"]
        if checked["enforced"] and (not checked["by"] or has_passed(checked["by"])):
            return "recertification_overdue"
        named = [content["access"][one]["doors"].get(str(number), {"allow": [], "deny": []}) for one in holder["access"]]
        allow, deny = ([content["rules"][one] for ids in named for one in ids[effect]
                        if content["rules"][one]["direction"] in (direction, "both")] for effect in ("allow", "deny"))
        if deny:
            return "denied_by_rule"
        if not any(rule["schedule"] is None and rule["adhoc"] is None for rule in allow):
            return "outside_schedule" if allow else "no_access"
        door = content["doors"][str(number)]
        for field, reason in (("interlock", "interlock"), ("sharedInterlock", "interlock_unavailable"),
                              ("areas", "antipassback"), ("firstPerson", "first_person_absent"),
                              ("requiresPin", "pin_required"), ("requiresTwoPersons", "second_person_absent"),
                              ("requiresRemoteAuth", "remote_unavailable")):
            if door.get(field):
                return reason
        return None

    def present(self, number, card, direction):
        with self.lock:
            reason = self.decide(number, card, direction)
            if reason is None:
                self.open(number)
            self.record({"type": "access", "door": number, "direction": direction, "kind": "card", "number": card,
                         "verdict": "deny" if reason else "grant", "reason": reason})
            print(f"door {number}: {reason or 'granted'}")

    def open(self, number):
        print(f"door {number} unlocked")

    # Events

    def record(self, body):
        with self.lock:
            applied = self.state["applied"]
            body.update(at=now(), configVersion=applied and applied["version"])
            self.state["records"].append({"seq": self.state["next"], "body": body})
            self.state["next"] += 1
            self.store.keep()
            self.send_records()

    def send_records(self):
        waiting = [record for record in self.state["records"] if record["seq"] > self.sent][:500]
        if self.welcomed and waiting:
            self.sent = waiting[-1]["seq"]
            self.send(type="events", logId=self.state["log"], records=waiting)

    def on_ack(self, frame):
        if frame["logId"] == self.state["log"]:
            self.state["records"] = [record for record in self.state["records"] if record["seq"] > frame["upTo"]]
            self.store.keep()
            self.send_records()


def has_passed(instant):
    return bool(instant) and seconds_of(instant) <= time.time()


def main():
    parser = argparse.ArgumentParser(description="A small door controller for the Portcullis unit protocol.")
    parser.add_argument("--url", required=True)
    parser.add_argument("--code", default="")
    parser.add_argument("--data", required=True)
    parser.add_argument("--serial", default="EXAMPLE-1")
    given = parser.parse_args()
    # A program that reads this output gets each line at once.
    sys.stdout.reconfigure(line_buffering=True)
    address = urlparse(given.url)
    if address.scheme not in ("ws", "wss") or not address.hostname:
        parser.error("--url must begin with ws:// or wss://, such as wss://access.example.com/units.")
    unit = Unit(given.url, given.code, Store(given.data), given.serial)
    threading.Thread(target=unit.run, daemon=True).start()
    for line in sys.stdin:
        card = re.fullmatch(r"card ([1-9]\d{0,8}) (\S+) (entry|exit)", line.strip(), re.ASCII)
        if card:
            unit.present(int(card[1]), card[2], card[3])
        elif line.strip():
            print("Type: card DOOR NUMBER entry|exit")
    threading.Event().wait()


if __name__ == "__main__":
    main()
