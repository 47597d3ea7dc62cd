import type { Translation } from '../text/catalogue.ts'
import type * as english from './dashboard.text.ts'

export const dashboard: Translation<typeof english.dashboard> = {
  title: 'Panel',
  day: '{{day}}, {{zone}}',
  doors: 'Puertas ahora',
  allSites: 'Todos los sitios',
  doorsWell: 'Todas las puertas están en estado normal.',
  noDoors: 'Aún no hay puertas.',
  unusualDoors: 'Puertas que requieren atención',
  doorsOf: 'Puertas: {{state}}',
  noSuchDoor: 'Ahora no hay puertas en este estado.',
  showMore_one: 'Mostrar {{count, number}} más',
  showMore_other: 'Mostrar {{count, number}} más',
  unread_one: 'Y {{count, number}} más',
  unread_other: 'Y {{count, number}} más',
  silentDoors_one: '{{count, number}} puerta muestra su último estado conocido: su controlador está desconectado.',
  silentDoors_other:
    '{{count, number}} puertas muestran su último estado conocido: sus controladores están desconectados.',
  units: 'Controladores',
  allUnits: 'Todos los controladores',
  unitsWell: 'Todos los controladores están conectados y sincronizados.',
  noUnits: 'Aún no hay controladores.',
  troubledUnits: 'Controladores que requieren atención',
  moreUnits_one: 'Y {{count, number}} controlador más',
  moreUnits_other: 'Y {{count, number}} controladores más',
  stepOfFirst: 'No sincronizados: solo se comprobaron los primeros {{count, number}} controladores.',
  showUnits: 'Mostrar',
  unitFaults: {
    not_compiled_one:
      '{{count, number}} controlador conserva su configuración anterior: el servidor no pudo preparar la actual. El motivo está en el registro del servidor.',
    not_compiled_other:
      '{{count, number}} controladores conservan sus configuraciones anteriores: el servidor no pudo preparar las actuales. El motivo está en el registro del servidor.',
    implausible_version_one:
      '{{count, number}} controlador no recibe cambios: comunica una versión de configuración imposible. Restablézcalo y vuelva a registrarlo.',
    implausible_version_other:
      '{{count, number}} controladores no reciben cambios: comunican versiones de configuración imposibles. Restablézcalos y vuelva a registrarlos.',
    behind_policy_one:
      '{{count, number}} controlador decide según la política anterior: el servidor aún no ha preparado los últimos cambios. Si dura varios minutos, revise el registro y la carga del servidor.',
    behind_policy_other:
      '{{count, number}} controladores deciden según la política anterior: el servidor aún no ha preparado los últimos cambios. Si dura varios minutos, revise el registro y la carga del servidor.',
  },
  since: 'desde',
  heard: 'última señal',
  today: 'Hoy por horas',
  allEvents: 'Todos los eventos de hoy',
  usually: 'lo habitual a esta hora un {{weekday}}: {{count, number}}',
  usual: 'Lo habitual un {{weekday}}',
  chart: { granted: 'Accesos concedidos, por hora', denied: 'Accesos denegados, por hora' },
  refusals: 'Por qué se denegó el acceso hoy',
  noRefusals: 'Hoy no se ha denegado ningún acceso.',
  alarms: 'Alarmas y denegaciones, últimas 24 horas',
  allAlarms_one: 'Ver {{count, number}}',
  allAlarms_other: 'Ver las {{count, number}}',
  noAlarms: 'Sin alarmas ni denegaciones.',
  unknownCard: 'Tarjeta desconocida {{number}}',
  requests: 'A la espera de aprobación',
  allRequests: 'Todas las solicitudes',
  noRequests: 'No hay solicitudes en espera.',
  moreRequests_one: '{{count, number}} más en espera',
  moreRequests_other: '{{count, number}} más en espera',
}
