import type { Translation } from '../text/catalogue.ts'
import type * as english from './live.text.ts'

export const live: Translation<typeof english.live> = {
  live: 'En directo',
  reconnecting: 'Reconectando',
  connecting: 'Conectando',
  ended: 'Detenido',
}
