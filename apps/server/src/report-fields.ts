import type { ReportCut } from '@pulse/contract'
import { createHash } from 'node:crypto'

const mostIdentity = 128

/** What shows as nothing, forges a line or turns the text around. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/**
 * Reads what a stranger sent, field by field: what is not what it should be counts as not there, what is too long is cut.
 * One instance for one report: it remembers what was cut.
 */
export class Bounded {
  readonly #cut = new Set<ReportCut>()

  /** Empty when it is no text. */
  text(value: unknown, most: number, what: ReportCut = 'texts'): string {
    if (typeof value !== 'string' || value === '') return ''
    return (value.length > most ? this.#shortened(value, most, what) : value)
      .toWellFormed()
      .replaceAll(unseen, '\ufffd')
  }

  /** As one field of an object: absent when empty. */
  optional<K extends string>(name: K, value: unknown, most: number): Partial<Record<K, string>> {
    const text = this.text(value, most).trim()
    return (text === '' ? {} : { [name]: text }) as Partial<Record<K, string>>
  }

  /** The first so many objects of a list. */
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

  /** A piece of a text keeps all of it in memory: the copy does not. */
  #shortened(value: string, most: number, what: ReportCut): string {
    this.#cut.add(what)
    return Buffer.from(`${value.slice(0, most - 1).toWellFormed()}…`).toString()
  }
}

/** Nothing in it can be seen. */
export const isBlank = (text: string): boolean => text.replaceAll('\ufffd', '').trim() === ''

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined when it is no number from `least` on; what is more than `most` is `most`. */
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

/** Epoch ms of a date of this era; a zero time, as the older product writes it, is none. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const ms = Date.parse(value)
  return ms > 0 ? ms : undefined
}

/** The first name that is not empty. One that fits into no URL is replaced by its hash: two that are cut could be equal. */
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
