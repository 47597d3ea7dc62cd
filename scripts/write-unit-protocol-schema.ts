import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unitProtocolSchema } from './unit-protocol-schema.ts'

await writeFile(join(import.meta.dirname, '../docs/unit-protocol.schema.json'), unitProtocolSchema())
