import { text } from '../text/text.ts'

/** The browser and system of a `User-Agent`: `Chrome on Windows`. A program has its own name. */
export function deviceInWords(device: string | null): string {
  const userAgent = device?.trim() ?? ''
  if (userAgent === '') return text('settings.device.unknown')
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)]
  if (browser && system) return text('settings.device.on', { browser, system })
  const name = browser ?? system
  if (name) return name
  const program = /^[\w.+-]+/u.exec(userAgent)?.[0]
  return program && program !== 'Mozilla' ? text('settings.device.program', { name: program }) : userAgent.slice(0, 60)
}

export function kindOfDevice(device: string | null): 'computer' | 'telephone' | 'program' {
  const userAgent = device ?? ''
  if (/iPhone|iPad|Android|Mobile/u.test(userAgent)) return 'telephone'
  return userAgent === '' || userAgent.startsWith('Mozilla/') ? 'computer' : 'program'
}

/** An IPv4 address without the IPv6 prefix that a server adds. */
export function addressInWords(address: string | null): string {
  return address?.replace(/^::ffff:(?=\d+\.)/u, '') ?? text('settings.device.unknownAddress')
}

type Names = readonly (readonly [RegExp, string])[]

// Browsers also name older ones for compatibility: the first match is the browser.
const browsers: Names = [
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\b(?:OPR|Opera)\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\bVivaldi\//u, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\bChromium\//u, 'Chromium'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//u, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//u, 'Safari'],
]

const systems: Names = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bWindows\b/u, 'Windows'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/u, 'macOS'],
  [/\bLinux\b|\bX11\b/u, 'Linux'],
]

function nameIn(names: Names, userAgent: string) {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
