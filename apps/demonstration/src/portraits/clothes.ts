import { stroke } from './head.ts'

const shoulders = 'M10 120C11 101 26 95.5 46 90 50 96 70 96 74 90 94 95.5 109 101 110 120Z'

type Drawn = { colour: string; shade: string }

/** What is seen of the clothes below the chin. */
export function drawClothes(clothes: number, drawn: Drawn): string {
  return (garments[clothes] ?? garments[0])(drawn)
}

const body = (colour: string) => `<path d="${shoulders}" fill="${colour}"/>`
const white = '#f7f7f5'

const garments: readonly [(drawn: Drawn) => string, ...((drawn: Drawn) => string)[]] = [
  ({ colour, shade }) => body(colour) + stroke('M45.5 90.5C50 98.5 70 98.5 74.5 90.5', { colour: shade, width: 3 }),
  ({ colour, shade }) =>
    `${body(colour)}<path d="M46 89.5 60 102 52 109 43 92ZM74 89.5 60 102 68 109 77 92Z" fill="${shade}"/>${stroke('M60 103V120', { colour: shade, width: 1.6 })}`,
  ({ colour, shade }) =>
    `${body(colour)}<path d="M47 89 60 118 73 89C70 96 50 96 47 89Z" fill="${white}"/><path d="M46 89 41 97 58 120H62L79 97 74 89 60 116Z" fill="${shade}"/>`,
  ({ colour }) =>
    `${body('#4a5560')}<path d="M24 97.5 46 90 60 108 74 90 96 97.5 96 120H24Z" fill="#f0c330"/><path d="M33 94.5 39 92.5 45 120H38ZM87 94.5 81 92.5 75 120H82Z" fill="#e9eef0"/><path d="M46 89.5C50 96 70 96 74 89.5L60 106Z" fill="${colour}"/>`,
  ({ colour }) =>
    `${body('#f4f6f6')}<path d="M46 90C50 96 70 96 74 90L60 112Z" fill="${colour}"/><path d="M46 89 39 98 55 120H60V112ZM74 89 81 98 65 120H60V112Z" fill="#dfe5e6"/>`,
  ({ colour, shade }) => `${body(colour)}<path d="M49.5 80H70.5L74 92C68 98 52 98 46 92Z" fill="${shade}"/>`,
  ({ colour, shade }) =>
    `${body(colour)}<path d="M46 90C50 96 70 96 74 90L60 104Z" fill="${shade}" opacity=".55"/>${stroke('M46 90 60 104.5 74 90', { colour: shade, width: 2.4 })}`,
  ({ colour, shade }) =>
    `${body(colour)}<path d="M46 89.5 60 100 53 106 43 92ZM74 89.5 60 100 67 106 77 92Z" fill="${white}"/><path d="M57.5 101H62.5L65 120H55Z" fill="${shade}"/>`,
]
