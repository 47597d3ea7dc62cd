import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decisionTable } from './decision-table.ts'

await writeFile(join(import.meta.dirname, '../docs/decision.md'), decisionTable())
