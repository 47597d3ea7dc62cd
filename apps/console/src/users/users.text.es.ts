import type { Translation } from '../text/catalogue.ts'
import type * as english from './users.text.ts'

export const users: Translation<typeof english.users> = {
  all: 'Usuarios',
  one: 'Usuario',
  tab: 'Usuarios',
  add: 'Añadir usuario',
  name: 'Nombre',
  title: 'Cargo',
  email: 'Correo electrónico',
  emailOnce: 'Solo para usuarios que inician sesión en la consola. Solo se puede indicar al añadir el usuario.',
  noEmail: 'Este usuario no puede iniciar sesión. El correo solo se puede indicar al añadir un usuario.',
  role: 'Rol',
  hyper: 'Superusuario',
  verified: 'Correo confirmado',
  status: 'Estado',
  groups: 'Grupos',
  validFrom: 'Válido desde',
  validUntil: 'Válido hasta',
  validUntilHint: 'Déjelo vacío si no hay fecha de fin.',
  noEnd: 'sin fecha de fin',
  lastRecertifiedAt: 'Recertificado',
  idleTime: 'Tiempo de inactividad (segundos)',
  img: 'Imagen',
  empty: 'Aún no hay usuarios',
  emptyHint: 'Añada a los usuarios que presentan credenciales en sus puertas y a los que trabajan en esta consola.',
  roles: {
    admin: 'Administrador',
    accountManager: 'Gestor de cuentas',
    installer: 'Instalador',
    accessManager: 'Gestor de accesos',
    reportingUser: 'Usuario de informes',
    appUser: 'Usuario de la app',
  },
}

export const metaDataTemplates: Translation<typeof english.metaDataTemplates> = {
  one: 'Plantilla',
  name: 'Nombre',
  fields: 'Campos',
}
