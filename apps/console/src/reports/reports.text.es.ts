import type { Translation } from '../text/catalogue.ts'
import type * as english from './reports.text.ts'

export const reports: Translation<typeof english.reports> = {
  title: 'Informes de incidentes',
  one: 'Informe',
  add: 'Añadir informe de incidente',
  name: 'Nombre',
  namePlaceholder: 'Una descripción breve',
  filter: 'Eventos',
  everything: 'Todos los eventos',
  ownFilter: 'Filtro personalizado, guardado con la API',
  eventsHidden: 'No tiene acceso a estos eventos.',
  covered: 'Eventos',
  changed: 'Modificado',
  covers_one: '{{count, number}} evento',
  covers_other: '{{count, number}} eventos',
  coversAtLeast: 'Más de {{count, number}} eventos',
  newest: 'Aquí se muestran los {{count, number}} más recientes.',
  showAll: 'Mostrar en Eventos de acceso',
  none: 'Ningún evento coincide',
  noneHint: 'Seleccione otro periodo o quite filtros.',
  save: 'Guardar como informe',
  deleteMany_one: '¿Eliminar {{count, number}} informe de incidente?',
  deleteMany_other: '¿Eliminar {{count, number}} informes de incidentes?',
  empty: 'Aún no hay informes de incidentes',
  emptyHint: 'Guarde los eventos de un incidente por puerta, hora y usuario, y léalos o expórtelos aquí.',
}
