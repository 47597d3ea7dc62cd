import { runServer } from '@portcullis/server/run-server'
import { demonstration } from './demonstration.ts'

await runServer(demonstration)
