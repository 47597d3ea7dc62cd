import { stroke } from './head.ts'

/** From a shaven face to a long beard; the mouth is drawn above them. */
export function drawBeard(beard: number, colour: string): string {
  const path = beards[beard] ?? ''
  if (path === '') return ''
  if (beard === 1) return `<path d="${path}" fill="${colour}" opacity=".28"/>`
  if (beard === 2) return stroke(path, { colour, width: 3 })
  return `<path d="${path}" fill="${colour}"/>`
}

const jaw =
  'M40.5 54C41 68 49 81 60 81S79 68 79.5 54C78 60 75.5 64 72 65.5 68 66 64 65.5 60 66.5 56 65.5 52 66 48 65.5 44.5 64 42 60 40.5 54Z'

const beards = [
  '',
  jaw,
  'M54 66.5Q57 64.6 60 66.2 63 64.6 66 66.5',
  'M53.5 67.5Q57 65 60 66.5 63 65 66.5 67.5 66.5 80 60 80.5 53.5 80 53.5 67.5Z',
  jaw,
  'M40 54C40 72 48 91 60 91.5S80 72 80 54C78 60 75.5 63.5 72 65 68 65.5 64 65 60 66.2 56 65 52 65.5 48 65 44.5 63.5 42 60 40 54Z',
  'M40.3 54C40.5 66 47 80.5 60 80.5S79.5 66 79.7 54C79 66 74 71.5 68 72.5 65 77 55 77 52 72.5 46 71.5 41 66 40.3 54Z',
] as const
