export const brandKeys = ['portcullis', 'acme', 'harbour'] as const
export type BrandKey = (typeof brandKeys)[number]

/** The colours that a brand sets; all others are the console's. Keyed by the console's token names, as `#rrggbb`. */
export type BrandColours = {
  /** Buttons, selected items and links on the console's backgrounds. */
  readonly accent: string
  readonly 'accent-hover': string
  /** The background of selected items. */
  readonly 'accent-ground': string
  /** Text on the accent. */
  readonly 'on-accent': string
}

/** A name and a look for the product. Its images are in `apps/console/public/brands/{key}/`. */
export type Brand = {
  /** Also the first label of its host names. */
  readonly key: BrandKey
  readonly product: string
  readonly light: BrandColours
  readonly dark: BrandColours
  /** `light`: a second logo in light colours is used on dark backgrounds. `one`: the same logo works on both. */
  readonly logos: 'one' | 'light'
  /** Its host names in addition to the public address, without port. Write requests from these origins are accepted. */
  readonly hosts: readonly string[]
}

/** All brands. A host name selects from this list and cannot add to it. */
export const brands: Readonly<Record<BrandKey, Brand>> = {
  portcullis: {
    key: 'portcullis',
    product: 'Portcullis',
    light: { accent: '#2f4fd0', 'accent-hover': '#2743b4', 'accent-ground': '#eef1fd', 'on-accent': '#ffffff' },
    dark: { accent: '#9db2ff', 'accent-hover': '#b4c4ff', 'accent-ground': '#1d2747', 'on-accent': '#0e131b' },
    logos: 'light',
    hosts: ['portcullis.example'],
  },
  acme: {
    key: 'acme',
    product: 'Acme Access',
    light: { accent: '#6a3cc2', 'accent-hover': '#5830a3', 'accent-ground': '#f3eefc', 'on-accent': '#ffffff' },
    dark: { accent: '#c3a9ff', 'accent-hover': '#d2bfff', 'accent-ground': '#2b2148', 'on-accent': '#0e131b' },
    logos: 'one',
    hosts: ['acme.portcullis.example'],
  },
  harbour: {
    key: 'harbour',
    product: 'Harbour Watch',
    light: { accent: '#0a6a74', 'accent-hover': '#08565e', 'accent-ground': '#e4f4f5', 'on-accent': '#ffffff' },
    dark: { accent: '#6fd3de', 'accent-hover': '#92e0e8', 'accent-ground': '#0f333a', 'on-accent': '#0e131b' },
    logos: 'light',
    hosts: ['harbour.portcullis.example'],
  },
}

/** The brand of all other hosts. */
export const defaultBrand: Brand = brands.portcullis

/** The brand with an untrusted key; undefined if there is none. */
export function brandWithKey(key: string | undefined): Brand | undefined {
  return Object.values(brands).find((brand) => brand.key === key)
}

/**
 * The brand of a `Host`, by the first label of its name: `acme.example.com:3000` is acme. An IP address, plain
 * `localhost`, an unknown name and an invalid host get the default. The text is only compared and never becomes a path.
 */
export function brandOf(host: string | undefined): Brand {
  if (host === undefined || host.length > longestHost) return defaultBrand
  const [, label] = /^([a-z][a-z0-9-]*)(?:\.[a-z0-9-]+)*\.?(?::\d{1,5})?$/i.exec(host) ?? []
  return brandWithKey(label?.toLowerCase()) ?? defaultBrand
}

/** 253 characters of a name, a dot, a colon and a port. */
const longestHost = 260
