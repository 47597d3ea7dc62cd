import type { Translation } from '../text/catalogue.ts'
import type * as english from './why-then.text.ts'

export const whyThen: Translation<typeof english.whyThen> = {
  title: 'En aquel momento',
  same: 'Las reglas de aquel momento dan el mismo resultado, comprobación por comprobación.',
  differs: {
    granted: 'Según las reglas de aquel momento, el acceso se concedió.',
    denied: 'Según las reglas de aquel momento, el acceso se denegó: {{reason}}.',
  },
  server: {
    granted:
      'El controlador no estaba sincronizado. La política del servidor en aquel momento habría concedido el acceso.',
    denied:
      'El controlador no estaba sincronizado. La política del servidor en aquel momento habría denegado el acceso: {{reason}}.',
  },
  historyFrom: 'El registro de auditoría empieza {{time}}. No se conocen los cambios anteriores.',
  now: {
    grant: 'Ahora la puerta se abriría.',
    deny: 'Ahora el acceso se denegaría: {{reason}}.',
    needs_pin: 'Ahora la puerta pediría un PIN.',
    needs_second_person: 'Ahora la puerta pediría una segunda persona.',
    needs_approval: 'Ahora la puerta pediría una aprobación.',
  },
  obstacle: {
    no_decision: 'Este evento no es una decisión en una puerta.',
    no_door: 'No se conoce la puerta, así que la decisión no se puede evaluar de nuevo.',
    no_credential: 'No se presentó ninguna credencial conocida, así que la decisión no se puede evaluar de nuevo.',
  },
  wouldHaveOpened: 'Se habría abierto así',
  changed: 'Cambios desde entonces',
  unchanged: 'Desde entonces no ha cambiado nada que influya aquí.',
  item: '{{kind}} {{name}}',
  change: {
    create: 'Se añadió: {{item}}',
    patch: 'Se modificó: {{item}} ({{fields}})',
    delete: 'Se eliminó: {{item}}',
    joined: 'Se incorporó a: {{item}}',
    left: 'Salió de: {{item}}',
  },
  undo: 'al deshacer un cambio',
  by: 'por {{name}}',
  show: 'Ver en el registro de auditoría',
  more_one: 'y {{count, number}} cambio más, que no puede ver aquí',
  more_other: 'y {{count, number}} cambios más, que no puede ver aquí',
}
