import type { RefusalCode } from '@portcullis/contract/unit-protocol/refusal-codes'

/** Why a unit's connection is refused, in sentences that its manufacturer or installer can act on. */
const sentences: Record<RefusalCode, string> = {
  malformed: 'The frame is not one of the protocol portcullis.unit.v1.',
  unknown_unit:
    'No unit with this id is enrolled here. Create an enrolment code under Controllers in the console, and enrol with it.',
  bad_signature:
    'The signature does not match the key. Sign the protocol’s text (lines: protocol, frame, nonce, ...) of this connection’s nonce with the Ed25519 key of the enrolment.',
  bad_code:
    'The enrolment code is wrong, has expired or was replaced. Create a new code under Controllers in the console.',
  serial_mismatch:
    'The serial is not the one that is entered for this unit under Controllers in the console. Correct it on either side.',
  already_enrolled:
    'This code was used by a unit with another key. If this unit replaces it, create a new code under Controllers in the console.',
  already_connected:
    'This unit already has another connection, which responds. End that one, and do not copy the data of one unit to another.',
  key_replaced:
    'Another controller was enrolled for this unit, with another key. To use this one, create a new code under Controllers in the console.',
  out_of_service: 'This unit is disabled. Enable it under Controllers in the console.',
  too_slow: 'The unit did not send enrol or hello within 10 seconds of the challenge.',
  too_many_attempts:
    'Too many attempts from this network or with this serial number have failed. Wait a minute, then try again.',
  too_many_connections:
    'This unit has connected too often in a short time. Keep one connection open, and wait longer after each attempt.',
  unexpected: 'This frame does not belong here: after the challenge comes enrol or hello, and each of them once.',
  unencrypted:
    'This connection is not encrypted. Connect with https:// or wss:// through the TLS proxy, which must be listed in TRUSTED_PROXIES and send X-Forwarded-Proto: https. To accept unencrypted controllers, start the server with UNENCRYPTED_UNITS=on.',
}

type RefusalDetails = { detail?: string /** Id of the unit that it is about. */; unit?: string }

/** Ends a unit's connection with a code and a sentence. */
export class UnitRefused extends Error {
  override readonly name = 'UnitRefused'
  readonly code: RefusalCode
  readonly unit: string | undefined

  constructor(code: RefusalCode, { detail, unit }: RefusalDetails = {}) {
    super(detail === undefined ? sentences[code] : `${sentences[code]} ${detail}`)
    this.code = code
    this.unit = unit
  }
}
