import type { Translation } from '../text/catalogue.ts'
import type * as english from './contacts.text.ts'

export const contacts: Translation<typeof english.contacts> = {
  title: 'Contactos',
  one: 'Contacto',
  add: 'Añadir contacto',
  name: 'Nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  note: 'Nota',
  notify: 'Avisar de',
  notifyHint: 'Se guarda para su equipo. Aún no se envían avisos a los contactos.',
  notifyKinds: {
    alarms: 'Alarmas de puertas',
    controllersOffline: 'Controladores que se desconectan',
    remoteAccess: 'Solicitudes de acceso',
    incidentReports: 'Informes de incidentes',
  },
  notifyNone: 'nada',
  write: 'Escribir a {{name}}',
  call: 'Llamar a {{name}}',
  deleteMany_one: '¿Eliminar {{count, number}} contacto?',
  deleteMany_other: '¿Eliminar {{count, number}} contactos?',
  empty: 'Aún no hay contactos',
  emptyHint:
    'Añada a las personas a las que hay que avisar cuando ocurre algo: vigilantes, conserjes, bomberos. No tienen que ser usuarios.',
}
