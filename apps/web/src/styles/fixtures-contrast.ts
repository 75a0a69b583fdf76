import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Measurements of colours for tests. */
export interface Oklch {
  /** 0-1 */
  lightness: number
  chroma: number
  /** degrees */
  hue: number
}

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

/** The six-digit colours of a block, by name. */
function tokens(selector: string): Map<string, string> {
  const [, block = ''] = `\n${css}`.split(`\n${selector} {`)
  const lines = block
    .slice(0, block.indexOf('}'))
    .split('\n')
    .map((line) => line.trim().split(': '))
  return new Map(
    lines.flatMap(([name, value]) =>
      name?.startsWith('--') && value?.startsWith('#') ? [[name.slice(2), value.slice(0, 7)] as const] : [],
    ),
  )
}

const light = tokens(':root')
/** The tokens of each theme, by name. */
export const themes = { light, dark: new Map([...light, ...tokens('.dark')]) }

type Rgb = [red: number, green: number, blue: number]

const linear = (color: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Rgb

function luminance(color: string): number {
  const [r, g, b] = linear(color)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high! + 0.05) / (low! + 0.05)
}

export function toOklch(color: string): Oklch {
  const [r, g, b] = linear(color)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const yellowness = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, yellowness),
    hue: ((Math.atan2(yellowness, a) * 180) / Math.PI + 360) % 360,
  }
}

export function toHex({ lightness, chroma, hue }: Oklch): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const parts: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const hex = parts.map((part) => {
    const shown = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, shown)) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${hex.join('')}`
}

export function parseOklch(text: string): Oklch {
  const [lightness, chroma, hue] = text.slice('oklch('.length, -1).split(' ').map(Number)
  return { lightness: lightness!, chroma: chroma!, hue: hue! }
}

export function hueDistance(a: number, b: number): number {
  const apart = Math.abs(a - b) % 360
  return Math.min(apart, 360 - apart)
}
