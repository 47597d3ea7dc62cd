import type { Translation } from '../text/catalogue.ts'
import type * as english from './left-out.text.ts'

export const leftOut: Translation<typeof english.leftOut> = {
  title: 'Sin espacio en este controlador',
  hint: 'El controlador recibe lo que le cabe: las credenciales y los horarios más antiguos y las puertas con los números más bajos. Retire accesos que no hagan falta o sustituya el controlador por uno mayor.',
  none: 'Todo vuelve a caber. El aviso termina en unos minutos.',
  cardholders_one: '{{count, number}} titular con credenciales que no están en el controlador',
  cardholders_other: '{{count, number}} titulares con credenciales que no están en el controlador',
  cardholdersHint: 'Sus puertas deniegan estas credenciales como desconocidas.',
  atDoor_one: '{{name}}: a {{count, number}} titular con acceso le falta una credencial aquí',
  atDoor_other: '{{name}}: a {{count, number}} titulares con acceso les falta una credencial aquí',
  doors: 'Puertas que no funcionan: {{names}}',
  schedules:
    'Horarios omitidos (sus reglas de permiso no dan acceso, sus reglas de denegación rigen siempre): {{names}}',
}
