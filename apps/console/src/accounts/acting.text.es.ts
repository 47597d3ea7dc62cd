import type { Translation } from '../text/catalogue.ts'
import type * as english from './acting.text.ts'

export const acting: Translation<typeof english.acting> = {
  act: 'Actuar en esta cuenta…',
  actIn: 'Actuar en {{name}}…',
  key: 'Mayús + Intro: actuar en la cuenta',
  title: 'Actuar en {{name}}',
  hint: 'Los cambios que haga allí quedan en el registro de auditoría de esa cuenta, con su nombre y este motivo. Puede actuar en ella durante {{minutes}} minutos como máximo.',
  reason: 'Motivo',
  reasonExample: 'Por ejemplo, un número de incidencia o el nombre del solicitante',
  reasonShort: 'Introduzca un motivo de 3 a 500 caracteres.',
  begin: 'Actuar en la cuenta',
  region: 'Actuando en otra cuenta',
  banner: 'Actúa en {{account}} como {{person}}: {{reason}}.',
  since: 'Desde las {{since}}.',
  stop: 'Dejar de actuar',
  already: 'Ya actúa en {{name}} en otra pestaña, por este motivo: {{reason}}',
  stopped: 'Ya no actúa en {{name}}.',
  time: 'Han pasado {{minutes}} minutos: ya no actúa en {{name}}.',
  server: 'El servidor terminó su acceso a {{name}}. Su sesión sigue abierta.',
}
