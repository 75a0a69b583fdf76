import type { JsonSchema } from '../schemas.ts'
import type { SchemaReader } from './schema.ts'

/** The time of the examples. */
const shownMs = Date.UTC(2026, 8, 21, 14, 13, 20)
const DAY_MS = 86_400_000
const maxText = 1_200
const aSecret = '3f9a1c5d8e2b4706a1c93f5e7d8b2046c1e3a5f7092b4d6e8f0a1c3e5d7fb7d2'
const aFingerprint = aSecret.toUpperCase().match(/../g)!.join(':')

/** Replacements for values that depend on this machine or on the time. */
export interface Replacements {
  /** when the answers were given */
  startedMs: number
  texts: readonly (readonly [real: string, shown: string])[]
  figures: ReadonlyMap<number, number>
}

/** Turns answers into examples: short, without secrets, and with a fixed date and host. */
export function createExamples(schemas: SchemaReader, { startedMs, texts, figures }: Replacements) {
  const ids = new Map<string, string>()
  const shift = shownMs - startedMs
  const given = (real: string, make: (n: number) => string) => {
    if (!ids.has(real)) ids.set(real, make(ids.size + 1))
    return ids.get(real)!
  }
  const both = texts.flatMap(([real, shown]) => [
    [real, shown] as const,
    [encodeURIComponent(real), encodeURIComponent(shown)] as const,
  ])

  const textOf = (text: string) =>
    shortened(both.reduce((all, [real, shown]) => all.replaceAll(real, shown), text))
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
        given(id, (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
      )
      .replace(/\b(pve|pbs|pmg)-[0-9a-f]{12}\b/g, (id, kind: string) =>
        given(id, (n) => `${kind}-${String(n).padStart(12, '0')}`),
      )
      .replace(/\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b/g, aFingerprint)
      .replace(/\b(?!(.)\1+\b)[0-9a-f]{32,64}\b/g, (hex) => aSecret.slice(0, hex.length))
      .replace(/\b(state|nonce|code_challenge)=[\w-]{20,}/g, '$1=SplxlOBeZQQYbYS6WxSbIA')
      .replace(/\b127\.\d+\.\d+\.(\d+)\b/g, '192.0.2.$1')
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time, fraction: string | undefined) => {
        const at = Date.parse(time)
        if (Math.abs(at - startedMs) > 400 * DAY_MS) return time
        return new Date(at + shift).toISOString().replace(/\.\d+/, fraction === undefined ? '' : '.000')
      })

  const figureOf = (value: number) => {
    if (Math.abs(value - startedMs) < 400 * DAY_MS) return Math.round(value + shift)
    if (Math.abs(value * 1000 - startedMs) < 60 * DAY_MS) return Math.round(value + shift / 1000)
    return figures.get(value) ?? value
  }

  function of(value: unknown, schema: JsonSchema | undefined): unknown {
    if (typeof value === 'string') return textOf(value)
    if (typeof value === 'number') return figureOf(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const list = value as unknown[]
      if (list.every((one) => typeof one !== 'object'))
        return list.slice(0, 20).map((one) => of(one, undefined))
      return [of(richest(list), schemas.items(schema))]
    }
    const entries = Object.entries(value)
    const shown = schemas.isMap(schema, value) ? entries.slice(0, 2) : entries
    return Object.fromEntries(
      shown.map(([key, one]) => [textOf(key), of(one, schemas.part(schema, value, key))]),
    )
  }
  return of
}

const shortened = (text: string) => (text.length > maxText ? `${text.slice(0, 200)}…` : text)

/** The entry with the most fields. */
function richest(list: readonly unknown[]): unknown {
  const counts = list.map((one) => keysIn(one))
  return list[counts.indexOf(Math.max(...counts))]
}
const keysIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + 1 + keysIn(one), 0)
    : 0
