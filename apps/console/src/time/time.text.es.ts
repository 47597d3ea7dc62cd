import type { Translation } from '../text/catalogue.ts'
import type * as english from './time.text.ts'

export const time: Translation<typeof english.time> = {
  fromOn: 'Desde {{from}}',
  now: 'ahora mismo',
  seconds_other: 'hace {{count}} s',
  minutes_other: 'hace {{count}} min',
  hours_other: 'hace {{count}} h',
  days_other: 'hace {{count}} d',
  atSite: '{{time}} en el sitio',
  inZone: 'Hora de {{zone}}',
  inZoneAndOwn: 'Hora de {{zone}}. En su zona horaria: {{time}}',
  placeholder: { day: 'dd', month: 'mm', year: 'aaaa' },
  picker: {
    invalid: 'No es una fecha. Introduzca una como {{example}}.',
    invalidTime: 'No es una hora. Introduzca una como {{example}}.',
    date: 'Fecha',
    time: 'Hora',
    months: 'Seleccionar mes',
    years: 'Seleccionar año',
    nextMonth: 'Mes siguiente',
    previousMonth: 'Mes anterior',
    nextYear: 'Año siguiente',
    previousYear: 'Año anterior',
    nextDecade: 'Década siguiente',
    previousDecade: 'Década anterior',
  },
}

export const week: Translation<typeof english.week> = {
  mon: 'lun',
  tue: 'mar',
  wed: 'mié',
  thu: 'jue',
  fri: 'vie',
  sat: 'sáb',
  sun: 'dom',
  never: 'nunca',
  always: 'Siempre',
  noDay: 'ningún día',
  allDay: 'todo el día',
  window: '{{days}} {{hours}}',
  hours: 'de {{start}} a {{end}}',
  hoursOver: 'de {{start}} a {{end}} del día siguiente',
  run: '{{from}} a {{to}}',
}
