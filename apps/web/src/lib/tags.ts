/** Pale, to differ from status colours. Equally light, to be visible in both themes. */
const dot = (hue: number) => `oklch(0.63 0.08 ${hue})`

/** Hues between those of the states and of the accent. */
const hues = [...range(0, 13), ...range(97, 142), ...range(167, 249), ...range(272, 359)]

const fixed: Readonly<Record<string, string>> = {
  production: dot(4),
  staging: dot(112),
  development: dot(190),
  backup: dot(300),
}

/** A tag has the same colour everywhere, regardless of case. */
export function tagColor(tag: string): string {
  const name = tag.trim().toLowerCase()
  return Object.hasOwn(fixed, name) ? fixed[name]! : dot(hues[hash(name) % hues.length]!)
}

/** Maximum number of dots; '+N' counts the rest. */
export const maxTagDots = 3

/** Parses the comma-separated tags of the wire. */
export function tagList(tags: string | undefined): string[] {
  return (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** FNV-1a: spreads short, similar words well. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}
