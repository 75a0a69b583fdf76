import type { ReportCut } from '@pulse/contract'
import { createHash } from 'node:crypto'

const mostIdentity = 128

/** Characters that are invisible, forge a line break or reverse the text direction. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/**
 * Reads untrusted input field by field: an invalid field counts as absent, and a long value is cut. Each
 * report has its own instance, which records the cuts.
 */
export class Bounded {
  readonly #cut = new Set<ReportCut>()

  /** Empty when the value is no text. */
  text(value: unknown, most: number, what: ReportCut = 'texts'): string {
    if (typeof value !== 'string' || value === '') return ''
    return (value.length > most ? this.#shortened(value, most, what) : value)
      .toWellFormed()
      .replaceAll(unseen, '\ufffd')
  }

  /** The text as one field of an object; absent when empty. */
  optional<K extends string>(name: K, value: unknown, most: number): Partial<Record<K, string>> {
    const text = this.text(value, most).trim()
    return (text === '' ? {} : { [name]: text }) as Partial<Record<K, string>>
  }

  /** The first `most` objects of a list. */
  list(value: unknown, most: number, what: ReportCut): Fields[] {
    if (!Array.isArray(value)) return []
    if (value.length > most) this.#cut.add(what)
    return value.slice(0, most).filter(isFields)
  }

  note(what: ReportCut): void {
    this.#cut.add(what)
  }

  get cut(): ReportCut[] {
    return [...this.#cut].sort()
  }

  /** A substring keeps the whole string in memory; the copy does not. */
  #shortened(value: string, most: number, what: ReportCut): string {
    this.#cut.add(what)
    return Buffer.from(`${value.slice(0, most - 1).toWellFormed()}…`).toString()
  }
}

/** The text has no visible character. */
export const isBlank = (text: string): boolean => text.replaceAll('\ufffd', '').trim() === ''

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined unless it is a number of at least `least`; capped at `most`. */
export function numberOf(
  value: unknown,
  most: number = Number.MAX_SAFE_INTEGER,
  least = 0,
): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least) return undefined
  return Math.min(value, most)
}

export function wholeOf(value: unknown, most?: number, least?: number): number | undefined {
  const number = numberOf(value, most, least)
  return number === undefined ? undefined : Math.round(number)
}

/** Epoch ms of a date in this era. Pulse 4.x writes a zero time for an absent one. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const ms = Date.parse(value)
  return ms > 0 ? ms : undefined
}

/**
 * The first name that is not empty. A name that fits into no URL is replaced by its hash, because two cut
 * names could be equal.
 */
export function identityOf(names: readonly unknown[]): string | undefined {
  for (const name of names) {
    const text = typeof name === 'string' ? name.trim() : ''
    if (text === '') continue
    if (text.length <= mostIdentity && /^[\x21-\x2e\x30-\x7e]+$/.test(text) && !/^\.+$/.test(text))
      return text
    return `h-${createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 40)}`
  }
  return undefined
}
