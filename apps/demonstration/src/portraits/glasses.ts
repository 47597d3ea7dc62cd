import { stroke } from './head.ts'

/** None, round, square, thin, or dark rims above. */
export function drawGlasses(glasses: number): string {
  switch (glasses) {
    case 1:
      return frames('#3a3336', 1.7, '<circle cx="51.3" cy="54.8" r="6.6"/><circle cx="68.7" cy="54.8" r="6.6"/>')
    case 2:
      return frames(
        '#2b2b31',
        2.2,
        '<rect x="44" y="49.5" width="14" height="10.5" rx="2.5"/><rect x="62" y="49.5" width="14" height="10.5" rx="2.5"/>',
      )
    case 3:
      return frames(
        '#a98a4b',
        1.2,
        '<rect x="44.5" y="50" width="13.5" height="9.5" rx="4.5"/><rect x="62" y="50" width="13.5" height="9.5" rx="4.5"/>',
      )
    case 4:
      return `${frames('#6d3f3a', 1.2, '<path d="M44 50.5H58Q58 60.5 51 60.5T44 50.5ZM62 50.5H76Q76 60.5 69 60.5T62 50.5Z"/>')}${stroke('M44 50.5H58M62 50.5H76', { colour: '#5a2f2c', width: 2.4 })}`
    default:
      return ''
  }
}

function frames(colour: string, width: number, shapes: string) {
  const bridge = stroke('M58 54Q60 52.5 62 54M44 53.5 40 53M76 53.5 80 53', { colour, width })
  return `<g fill="#fff" fill-opacity=".22" stroke="${colour}" stroke-width="${width}">${shapes}</g>${bridge}`
}
