/** oklch keeps every hue equally light, so each dot stands out on both themes' surfaces. */
const dot = (hue: number) => `oklch(0.62 0.17 ${hue})`

const fixed: Readonly<Record<string, string>> = {
  production: dot(25),
  staging: dot(70),
  development: dot(150),
  backup: dot(300),
}

/** The same tag has the same colour everywhere, whatever its case. */
export function tagColor(tag: string): string {
  const name = tag.trim().toLowerCase()
  return Object.hasOwn(fixed, name) ? fixed[name]! : dot(hash(name) % 360)
}

/** At most this many dots are shown; the rest is '+N'. */
export const maxTagDots = 3

/** The wire's comma-separated text as a clean list. */
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
