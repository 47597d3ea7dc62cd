import type { Translation } from '../text/catalogue.ts'
import type * as english from './idle.text.ts'

export const idle: Translation<typeof english.idle> = {
  title: '¿Sigue ahí?',
  warning_one:
    'Lleva más de {{idleTime}} segundos sin actividad y su sesión se cerrará automáticamente en {{count}} segundo. Pulse Continuar para mantenerla abierta.',
  warning_other:
    'Lleva más de {{idleTime}} segundos sin actividad y su sesión se cerrará automáticamente en {{count}} segundos. Pulse Continuar para mantenerla abierta.',
  soon: 'Su sesión se cerrará en {{seconds}} segundos. Pulse Continuar para mantenerla abierta.',
  goOn: 'Continuar',
}
