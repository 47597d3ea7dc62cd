import type { Translation } from '../text/catalogue.ts'
import type * as english from './shell.text.ts'

export const gate: Translation<typeof english.gate> = {
  title: 'Sin acceso',
  heading: 'Aquí no tiene acceso a nada',
  notOpen: 'No tiene acceso',
  eventsNotOpen: 'No puede ver los eventos de acceso',
  notOpenHint: 'Su rol en esta cuenta no incluye esta pantalla.',
  hint: 'Su rol en {{account}} no le da acceso a esta consola. Pida acceso a un administrador de la cuenta.',
  noAccount: 'Aún no pertenece a ninguna cuenta. Pida a un administrador que le añada.',
  open: 'Pantallas que puede abrir',
  settings: 'Sus ajustes',
  otherAccounts: 'Sus otras cuentas',
}

export const shell: Translation<typeof english.shell> = {
  skip: 'Saltar al contenido',
  navigation: 'Principal',
  openNavigation: 'Abrir la navegación',
  closeNavigation: 'Cerrar la navegación',
  collapseNavigation: 'Plegar la navegación',
  expandNavigation: 'Desplegar la navegación',
  arrived: '{{title}}, {{account}}',
  switchAccount: 'Cambiar de cuenta',
  searchAccounts: 'Buscar cuentas',
  noAccounts: 'No se han encontrado cuentas',
  userMenu: 'Menú de usuario',
  logOut: 'Cerrar sesión',
  appearance: 'Apariencia',
  auto: 'Automática',
  light: 'Clara',
  dark: 'Oscura',
  contact: 'Contacto',
  version: '{{product}} {{version}}',
  dashboard: 'Panel',
  sites: 'Sitios',
  controllers: 'Controladores',
  accessControl: 'Control de acceso',
  manageAccess: 'Gestionar acceso',
  manageSchedules: 'Gestionar horarios',
  adhocAccess: 'Acceso temporal',
  lockdownPlans: 'Planes de bloqueo total',
  accessEvents: 'Eventos de acceso',
  incidentReports: 'Informes de incidentes',
  contacts: 'Contactos',
  users: 'Usuarios',
  userList: 'Lista',
  passwordResetMfa: 'Contraseña y dos pasos',
  accounts: 'Cuentas',
  identityProviders: 'Proveedores de identidad',
  recertifyUsers: 'Recertificar usuarios',
}

export const userMenuEntries: Translation<typeof english.userMenuEntries> = {
  profile: 'Mi perfil',
  settings: 'Ajustes de usuario',
  lock: 'Bloquear la pantalla',
}
