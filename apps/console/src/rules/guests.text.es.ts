import type { Translation } from '../text/catalogue.ts'
import type * as english from './guests.text.ts'

export const guests: Translation<typeof english.guests> = {
  for: 'Para',
  recipients: { users: 'Usuarios y grupos', guest: 'Un invitado' },
  mark: 'Invitado',
  name: 'Nombre del invitado',
  email: 'Correo',
  emailHint: 'Allí se envían el enlace y el código.',
  how: 'El invitado abre las puertas con',
  byLink: 'Un enlace',
  byLinkHint: 'En una página con un botón para cada puerta.',
  byLinkNotAt:
    'Un enlace no abre {{doors}}: allí se aplica aprobación, un PIN, una segunda persona, primera persona o anti-passback.',
  byCode: 'Un código',
  byCodeHint: 'Un PIN de 6 cifras, para puertas con teclado que aceptan solo un PIN.',
  noKeypad: 'Ninguna de estas puertas acepta solo un PIN.',
  notAt: 'Un PIN sin tarjeta no abre {{doors}}.',
  invite: 'Invitar',
  made: 'Acceso para el invitado',
  shownOnce: 'Entréguelo ahora al invitado. Se muestra una sola vez.',
  mailed: 'También se envía a {{email}}.',
  code: 'Código',
  codeHint: 'El invitado lo introduce en el teclado, sin tarjeta.',
  link: 'Enlace',
  linkHint: 'Cualquiera con este enlace puede abrir las puertas hasta que termine el acceso.',
  copy: 'Copiar: {{what}}',
  renew: 'Nuevo enlace o código',
  newLink: 'Nuevo enlace',
  newCode: 'Nuevo código',
  renewed: 'El anterior ya no funciona',
}
