export const brandKeys = ['portcullis', 'acme', 'harbour'] as const
export type BrandKey = (typeof brandKeys)[number]

/** The colours that a brand brings; all others are the console's. By the names of the console's tokens, as `#rrggbb`. */
export type BrandColours = {
  /** What is pressed, chosen or linked, on the console's grounds. */
  readonly accent: string
  readonly 'accent-hover': string
  /** Behind what is chosen. */
  readonly 'accent-ground': string
  /** Letters on the accent. */
  readonly 'on-accent': string
}

/** Under whose name somebody sees the product. Its pictures lie in `apps/console/public/brands/{key}/`. */
export type Brand = {
  /** Also the first label of the host names at which it is seen. */
  readonly key: BrandKey
  readonly product: string
  readonly light: BrandColours
  readonly dark: BrandColours
  /** `light`: there is a second logo, in light colours, for dark grounds. `one`: the logo is good on both. */
  readonly logos: 'one' | 'light'
  /** Its host names besides the public address, without port: pages from there may change something. */
  readonly hosts: readonly string[]
}

/** Every brand that there is. A host chooses from this list and can't add to it. */
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

/** The one that is seen at any other host. */
export const defaultBrand: Brand = brands.portcullis

/** The brand of a key that comes from outside; undefined where there is none of that key. */
export function brandWithKey(key: string | undefined): Brand | undefined {
  return Object.values(brands).find((brand) => brand.key === key)
}

/**
 * The brand of a `Host`, by the first label of its name: `acme.example.com:3000` is acme. An address in numbers, plain
 * `localhost`, an unknown name and what is no host at all are the default. The text is compared, and never becomes a path.
 */
export function brandOf(host: string | undefined): Brand {
  if (host === undefined || host.length > longestHost) return defaultBrand
  const [, label] = /^([a-z][a-z0-9-]*)(?:\.[a-z0-9-]+)*\.?(?::\d{1,5})?$/i.exec(host) ?? []
  return brandWithKey(label?.toLowerCase()) ?? defaultBrand
}

/** 253 characters of a name, a dot, a colon and a port. */
const longestHost = 260
