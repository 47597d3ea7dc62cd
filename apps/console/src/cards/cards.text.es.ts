import type { Translation } from '../text/catalogue.ts'
import type * as english from './cards.text.ts'

export const cards: Translation<typeof english.cards> = {
  formats: {
    wiegand26: 'Wiegand de 26 bits',
    wiegand34: 'Wiegand de 34 bits',
    wiegand37: 'Wiegand de 37 bits, sin código de instalación',
    wiegand37Facility: 'Wiegand de 37 bits, con código de instalación',
  },
  printed: '{{facility}} / {{printed}}',
  mayBe: 'Esta tarjeta puede ser',
  assignEnded:
    'Su estado es {{status}}. No abre ninguna puerta hasta que cambie el estado en las credenciales del usuario.',
  unknownFormat: 'Solo el número leído',
  assign: 'Asignar a un usuario',
  assignTitle: 'Asignar la tarjeta {{number}}',
  user: 'Usuario',
  card: 'Impreso en la tarjeta',
  assignNow: 'Asignar',
  assigned: 'Tarjeta asignada a {{user}}',
  readAtDoor: 'Leer en una puerta',
  readAtDoorNow: 'Leer en una puerta…',
  door: 'Puerta',
  present_one: 'Presente la tarjeta en esta puerta. Queda {{count, number}} segundo.',
  present_other: 'Presente la tarjeta en esta puerta. Quedan {{count, number}} segundos.',
  nothingRead: 'No se ha leído ninguna tarjeta sin asignar. Compruebe la puerta e inténtelo de nuevo.',
  readEnded: '{{number}} está sin asignar, pero no libre: su estado es {{status}}. Presente otra tarjeta.',
  readAgain: 'Leer de nuevo',
  stopReading: 'Parar',
  offline: '{{unit}} está desconectado, así que no llega ninguna tarjeta de esta puerta.',
  noController: 'Esta puerta no tiene controlador, así que no llega ninguna tarjeta de ella.',
  readUnassigned: '{{number}} aún no está asignada. Añadir la da a este usuario.',
}
