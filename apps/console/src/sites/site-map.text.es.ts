import type { Translation } from '../text/catalogue.ts'
import type * as english from './site-map.text.ts'

export const siteMap: Translation<typeof english.siteMap> = {
  title: 'Mapa de sitios',
  tab: 'Mapa',
  keys: '{{label}}. Teclas de flecha: mover. Más y menos: ampliar y reducir.',
  nearer: 'Ampliar',
  farther: 'Reducir',
  whole: 'Mostrar todo',
  hint: 'Arrastre para mover el mapa. Amplíe con los botones, con dos dedos o con Ctrl y la rueda del ratón. El mapa no tiene costas ni calles: muestra grados y distancias.',
  zero: '0°',
  north: '{{degrees}}° N',
  south: '{{degrees}}° S',
  east: '{{degrees}}° E',
  west: '{{degrees}}° O',
  kilometres: '{{count}} km',
  metres: '{{count}} m',
  cluster_one: '{{count, number}} sitio',
  cluster_other: '{{count, number}} sitios',
  normal: 'Normal',
  list: 'Sitios en el mapa y sin ubicación',
  noLocation: 'Sin ubicación',
  more: 'Solo se muestran los primeros {{count, number}} sitios por nombre.',
  location: 'Ubicación',
  lat: 'Latitud',
  lng: 'Longitud',
  locationHint: 'En grados; el sur y el oeste son negativos. Una pulsación en el mapa fija ambos.',
}
