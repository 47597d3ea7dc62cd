import type { Translation } from '../text/catalogue.ts'
import type * as english from './groups.text.ts'

export const groups: Translation<typeof english.groups> = {
  uses: 'Pertenece a este grupo',
  rules: 'Reglas',
  noRules: 'Ninguna regla nombra este grupo ni a uno de sus miembros.',
  units: 'Controladores',
  noUnits: 'Ningún controlador',
  events: 'Eventos de hoy de este grupo',
}

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
  antiPassback: 'Antirretorno',
  antiPassbackKinds: {
    off: 'Desactivado',
    soft: 'Suave: solo avisa',
    hard: 'Estricto: deniega',
    timed: 'Temporizado: deniega durante unos minutos',
  },
  antiPassbackHints: {
    off: 'Los usuarios pueden entrar de nuevo sin haber salido.',
    soft: 'Estas puertas llevan a una misma zona. Quien entra dos veces pasa y se avisa.',
    hard: 'Estas puertas llevan a una misma zona. Quien ha entrado debe salir antes de volver a entrar. Sin un lector de salida, cada usuario entra una vez y luego se le deniega hasta que usted le perdone.',
    timed: 'Estas puertas llevan a una misma zona. Quien ha entrado no puede volver a entrar durante unos minutos.',
  },
  minutes: 'Minutos después de entrar',
  forgivenAllAt: 'Todos los usuarios perdonados',
  forgivenAt: 'Usuarios perdonados',
  forgive: 'Perdonar',
  forgiveHint: 'Un usuario perdonado puede pasar una vez más, pase por donde pasó la última vez.',
  forgiveUser: 'Usuario',
  forgiveOne: 'Perdonar al usuario',
  forgiveAll: 'Perdonar a todos',
  forgivenOne: 'El usuario podrá pasar cuando los controladores tengan la nueva configuración.',
  forgivenAll: 'Todos los usuarios podrán pasar cuando los controladores tengan la nueva configuración.',
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
  title: 'Esclusas',
  one: 'Esclusa',
  add: 'Añadir esclusa',
  name: 'Nombre',
  doors: 'Puertas',
  doorsHint:
    'Una puerta se abre solo mientras las demás están cerradas y bloqueadas. Si están conectadas a varios controladores, cada uno consulta antes al servidor: sin él, una puerta solo se abre con el pulsador de salida.',
  count_one: '{{count, number}} puerta',
  count_other: '{{count, number}} puertas',
  states: {
    secure: 'Cerrada y bloqueada',
    closed: 'Cerrada',
    open: 'Abierta o desbloqueada',
    unknown: 'Sin comunicar',
  },
  faults: {
    offline: 'Su controlador está sin conexión',
    no_room: 'No cabe en su controlador',
    out_of_sync: 'Su controlador no está sincronizado',
  },
  units_one: '{{count, number}} controlador',
  units_other: '{{count, number}} controladores',
  shared: 'pregunta al servidor',
  deleteHint: 'Después sus puertas pueden estar abiertas a la vez. Puede deshacerlo después.',
  oneDoor: 'Una esclusa con una sola puerta no hace nada. Añada las demás puertas.',
  now: 'Puertas ahora',
  keepsLocked: {
    one: '{{doors}} mantiene bloqueadas las demás puertas, salvo con el pulsador de salida.',
    more: '{{doors}} mantienen bloqueadas las demás puertas, salvo con el pulsador de salida.',
  },
  others: 'Las demás puertas de la esclusa ahora',
  asksServer: 'La esclusa tiene puertas de varios controladores, así que el controlador pregunta cada vez al servidor.',
  empty: 'Aún no hay esclusas',
  emptyHint: 'En una esclusa solo puede haber una puerta abierta a la vez.',
}
