import type { Translation } from '../text/catalogue.ts'
import type * as english from './outbox.text.ts'

export const outbox: Translation<typeof english.outbox> = {
  title: 'Bandeja de salida de correo',
  list: 'Correos',
  kept: 'No hay servidor de correo configurado: los correos se guardan aquí y no se envían. Haga llegar usted los enlaces a sus destinatarios, o configure SMTP_URL en el servidor y reinícielo.',
  sending:
    'Los correos se envían con el servidor indicado en SMTP_URL. Los que fallan se reintentan durante un día, aproximadamente.',
  empty: 'Aún no hay correos',
  emptyHint:
    'Aquí aparecen invitaciones, enlaces de restablecimiento y avisos. Sin SMTP_URL se guardan aquí y no se envían.',
  states: { waiting: 'En espera', sent: 'Enviado', kept: 'No enviado', failed: 'Fallido' },
  attempts_one: '{{count, number}} intento',
  attempts_other: '{{count, number}} intentos',
  show: 'Mostrar el correo',
  hide: 'Ocultar el correo',
  ofMail: '{{what}}: {{subject}}, a {{to}}',
  copyLink: 'Copiar enlace',
  secret: 'Cualquiera que tenga este enlace puede usarlo: déselo solo al destinatario.',
  newest: 'Los últimos 100 correos.',
}
