import type { Translation } from '../text/catalogue.ts'
import type * as english from './credentials.text.ts'

export const credentials: Translation<typeof english.credentials> = {
  title: 'Credenciales',
  one: 'Credencial',
  add: 'Añadir credencial',
  user: 'Usuario',
  status: 'Estado',
  statuses: { active: 'Activa', suspended: 'Suspendida', lost: 'Perdida', stolen: 'Robada', revoked: 'Revocada' },
  kind: 'Tipo',
  number: 'Número',
  numberHint: 'Letras, cifras y guiones. Un PIN tiene de 4 a 8 cifras y no se vuelve a mostrar.',
  duress: 'PIN de coacción',
  duressHint: 'Abre la puerta como siempre y activa una alarma silenciosa.',
  statusOf: 'Estado de {{number}}',
  hiddenNumber: 'Número oculto',
  validFrom: 'Válida desde',
  validUntil: 'Válida hasta',
  until: 'hasta {{until}}',
  from: 'desde {{from}}',
  none: 'Aún sin credenciales: este usuario no puede abrir ninguna puerta.',
  remove: 'Quitar {{number}}',
  kinds: { card: 'Tarjeta', pin: 'PIN', iButton: 'iButton', qr: 'Código QR', mobile: 'Móvil' },
  removeQuestion: '¿Quitar {{number}}? Ya no abrirá ninguna puerta, y su número se podrá usar de nuevo.',
  removeNow: 'Quitar',
  afterSaving: 'Guarde primero el usuario y después añada credenciales.',
}
