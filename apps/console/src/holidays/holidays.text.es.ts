import type { Translation } from '../text/catalogue.ts'
import type * as english from './holidays.text.ts'

export const holidays: Translation<typeof english.holidays> = {
  title: 'Festivos',
  one: 'Festivo',
  add: 'Añadir festivo',
  name: 'Nombre',
  kind: 'Tipo',
  dates: 'Fechas',
  datesHint: 'Días completos en la zona horaria de cada sitio.',
  calendar: 'Calendario',
  calendarHint: 'Se aplica en los sitios que siguen este calendario. Déjelo vacío para todos los sitios.',
  everySite: 'Todos los sitios',
  from: 'Primer día',
  until: 'Último día',
  recurring: 'Cada año',
  addDates: 'Añadir fechas',
  removeDates: 'Quitar estas fechas',
  everyYear: '{{dates}}, cada año',
  dayRange: '{{from}} a {{until}}',
  moreDates: '{{dates}} y {{count}} más',
  next: 'Próxima: {{date}}',
  noNext: 'Ninguna fecha en los próximos 2 años',
  empty: 'Aún no hay festivos',
  emptyHint: 'En un festivo, los horarios usan las horas indicadas para su tipo o permanecen cerrados.',
  kinds: { public: 'Público', company: 'De empresa', special: 'Especial' },
}
