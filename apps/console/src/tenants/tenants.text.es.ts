import type { Translation } from '../text/catalogue.ts'
import type * as english from './tenants.text.ts'

export const tenants: Translation<typeof english.tenants> = {
  title: 'Proveedores de identidad',
  one: 'Proveedor de identidad',
  add: 'Añadir proveedor de identidad',
  name: 'Nombre',
  nameHint: 'Un nombre que los usuarios reconozcan, como el del directorio de su empresa.',
  provider: 'Protocolo',
  providers: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
  enabled: 'Activado',
  state: 'Estado',
  changed: 'Modificado',
  notYet:
    'Los usuarios inician sesión con correo y contraseña hasta que esta instalación se conecte a un servicio de identidad. Estos ajustes se guardan y aún no afectan al inicio de sesión.',
  enable: 'Activar',
  enableMany_one: '¿Activar {{count, number}} proveedor de identidad?',
  enableMany_other: '¿Activar {{count, number}} proveedores de identidad?',
  disable: 'Desactivar',
  disableMany_one: '¿Desactivar {{count, number}} proveedor de identidad?',
  disableMany_other: '¿Desactivar {{count, number}} proveedores de identidad?',
  deleteMany_one: '¿Eliminar {{count, number}} proveedor de identidad?',
  deleteMany_other: '¿Eliminar {{count, number}} proveedores de identidad?',
  empty: 'Aún no hay proveedores de identidad',
  emptyHint:
    'Añada los directorios de empresa que identifican a los usuarios de esta cuenta. Los usuarios inician sesión con correo y contraseña hasta que esta instalación se conecte a uno.',
}
