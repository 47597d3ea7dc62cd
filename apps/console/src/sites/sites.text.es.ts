import type { Translation } from '../text/catalogue.ts'
import type * as english from './sites.text.ts'

export const sites: Translation<typeof english.sites> = {
  title: 'Sitios',
  one: 'Sitio',
  add: 'Añadir sitio',
  edit: 'Editar sitio',
  holidaysOf: 'Festivos: {{calendars}}',
  name: 'Nombre',
  address: 'Dirección',
  location: 'Ubicación',
  timeZone: 'Zona horaria',
  timeZoneHint: 'Los horarios de este sitio usan esta zona horaria.',
  calendars: 'Calendarios de festivos',
  calendarsHint: 'Este sitio sigue también estos calendarios de festivos. Pulse Intro después de cada nombre, como ZA.',
  exportDoors: 'Exportar puertas',
  empty: 'Aún no hay sitios',
  emptyHint: 'Un sitio es un lugar con puertas. Las puertas, las reglas y los eventos pertenecen a un sitio.',
}
