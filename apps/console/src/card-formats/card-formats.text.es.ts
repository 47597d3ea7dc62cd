import type { Translation } from '../text/catalogue.ts'
import type * as english from './card-formats.text.ts'

export const cardFormats: Translation<typeof english.cardFormats> = {
  title: 'Formatos de tarjeta',
  one: 'Formato de tarjeta',
  add: 'Añadir formato de tarjeta',
  name: 'Nombre',
  layout: 'Estructura',
  layoutHint:
    'Como en la ficha técnica. Primera línea: P paridad, F código de instalación, C número de tarjeta, 0 y 1 bits fijos. Después, una máscara por cada bit de paridad: E par u O impar en su lugar, X en los bits que cubre y puntos en los demás. No se puede cambiar después. El campo vacío muestra Wiegand 26.',
  layoutExample: 'PFFFFFFFFCCCCCCCCCCCCCCCCP\nEXXXXXXXXXXXX.............\n.............XXXXXXXXXXXXO',
  bits_one: '{{count, number}} bit',
  bits_other: '{{count, number}} bits',
  empty: 'Aún sin formatos de tarjeta propios',
  emptyHint:
    'Las tarjetas Wiegand de 26, 34 y 37 bits no necesitan un formato aquí. Añada los formatos de otras tarjetas.',
}
