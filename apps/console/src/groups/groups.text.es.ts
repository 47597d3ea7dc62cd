import type { Translation } from '../text/catalogue.ts'
import type * as english from './groups.text.ts'

export const doorGroups: Translation<typeof english.doorGroups> = {
  title: 'Grupos de puertas',
  one: 'Grupo de puertas',
  add: 'Añadir grupo de puertas',
  name: 'Nombre',
  members: 'Puertas',
  count_one: '{{count, number}} puerta',
  count_other: '{{count, number}} puertas',
  empty: 'Aún no hay grupos de puertas',
  emptyHint:
    'Con un grupo de puertas, una sola regla se aplica a muchas puertas, como muelles de carga o salas técnicas.',
}

export const siteGroups: Translation<typeof english.siteGroups> = {
  title: 'Grupos de sitios',
  one: 'Grupo de sitios',
  add: 'Añadir grupo de sitios',
  name: 'Nombre',
  members: 'Sitios',
  count_one: '{{count, number}} sitio',
  count_other: '{{count, number}} sitios',
  empty: 'Aún no hay grupos de sitios',
  emptyHint: 'Con un grupo de sitios, una sola regla se aplica a muchos sitios, como una región.',
}

export const userGroups: Translation<typeof english.userGroups> = {
  title: 'Grupos',
  one: 'Grupo de usuarios',
  add: 'Añadir grupo',
  name: 'Nombre',
  members: 'Miembros',
  count_one: '{{count, number}} usuario',
  count_other: '{{count, number}} usuarios',
  empty: 'Aún no hay grupos',
  emptyHint: 'Las reglas se aplican a grupos: un compañero nuevo obtiene acceso cuando se le añade a uno.',
}

export const interlockingGroups: Translation<typeof english.interlockingGroups> = {
  one: 'Esclusa',
  name: 'Nombre',
  doors: 'Puertas',
}
