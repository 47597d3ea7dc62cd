import type { Translation } from '../text/catalogue.ts'
import type * as english from './session.text.ts'

export const rights: Translation<typeof english.rights> = {
  changed: 'Sus permisos han cambiado.',
  lost: 'Sus permisos han cambiado: ya no tiene acceso a {{account}}.',
}
