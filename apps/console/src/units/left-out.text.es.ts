import type { Translation } from '../text/catalogue.ts'
import type * as english from './left-out.text.ts'

export const leftOut: Translation<typeof english.leftOut> = {
  title: 'Sin espacio en este controlador',
  later: 'Esto se aplicará cuando el controlador haya aplicado la versión {{version, number}}.',
  hint: 'El controlador recibe lo que le cabe: las credenciales y los horarios más antiguos y las puertas con los números más bajos. Sustitúyalo por uno mayor para que quepa todo.',
  fits: 'Ahora cabe todo. El aviso termina en 20 minutos como máximo.',
  checking: 'El servidor está comprobando lo que cabe.',
  cardholders_one: '{{count, number}} titular con credenciales que no están en el controlador',
  cardholders_other: '{{count, number}} titulares con credenciales que no están en el controlador',
  cardholdersHint:
    'Sus puertas deniegan estas credenciales como desconocidas. Para ganar espacio, dé acceso a sus puertas a menos titulares.',
  atDoor_one: '{{name}}: a {{count, number}} titular con acceso le falta una credencial aquí',
  atDoor_other: '{{name}}: a {{count, number}} titulares con acceso les falta una credencial aquí',
  doors: 'Puertas que no funcionan: {{names}}',
  doorsHint: 'Para ganar espacio, conecte puertas a otro controlador.',
  schedules:
    'Horarios omitidos (sus reglas de permiso no dan acceso, sus reglas de denegación rigen siempre): {{names}}',
  schedulesHint: 'Para ganar espacio, use menos horarios en sus puertas.',
}
