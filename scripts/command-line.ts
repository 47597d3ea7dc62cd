export { readCommandLine, valuesOrExit, wholeNumber } from '../packages/controllers/src/command-line.ts'
