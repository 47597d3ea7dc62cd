import type { Translation } from '../text/catalogue.ts'
import type * as english from './memberships.text.ts'

export const memberships: Translation<typeof english.memberships> = {
  title: 'Cuentas y roles',
  add: 'Añadir a cuenta',
  addTitle: 'Añadir {{name}} a otras cuentas',
  addHint:
    'Recibe el rol en cada una de estas cuentas. Un usuario que inicia sesión lo acepta antes, por correo o en su configuración.',
  accounts: 'Cuentas',
  role: 'Rol',
  noAccounts: 'No hay otra cuenta a la que pueda añadir este usuario.',
  addNow: 'Añadir',
  added: 'Se añadió: {{name}}.',
  invited: 'Invitación enviada',
  invitedHint: 'El rol se aplica cuando acepte. Una tarjeta que esta cuenta le dé funciona antes.',
  remove: 'Quitar de {{account}}',
  removeTitle: '¿Quitar {{name}} de {{account}}?',
  removeHint:
    'Su rol allí y su acceso en las puertas de la cuenta terminan de inmediato. Sus tarjetas y otras credenciales de {{account}} quedan allí sin usuario.',
  removeNow: 'Quitar',
  removed: '{{name}} ya no pertenece a {{account}}.',
}
