import type { Category } from '../masking/patterns.ts'
import { createTimeSlice } from '../timing/yield.ts'
import { categoryOf, isCommon, isFixedWord, openMaps } from './fields.ts'

/** All known names of the installation, with their placeholders. */
export interface Known {
  add(value: string, category: Category): void
  /** equal for equal values */
  placeholder(value: string, category: Category): string
  /** Replaces every known value, the longest first, including other spellings and encodings. */
  replace(text: string): string
}

/** A word of this length or shorter counts only as a whole word. */
const shortLength = 5
const encodedFrom = 6

export function createKnown(): Known {
  const placeholders = new Map<string, string>()
  const counts = new Map<Category, number>()
  const entries = new Map<string, { alone: boolean; placeholder: string }>()
  /**
   * Lengths of the known texts by their first two characters, longest first. Keeps ten thousand names as
   * cheap as ten.
   */
  const lengths = new Map<string, number[]>()

  function placeholder(value: string, category: Category): string {
    const key = value.toLowerCase()
    const found = placeholders.get(key)
    if (found !== undefined) return found
    const count = (counts.get(category) ?? 0) + 1
    counts.set(category, count)
    const made = `[${category}-${count}]`
    placeholders.set(key, made)
    return made
  }

  function addForm(form: string, shown: string) {
    if (entries.has(form)) return
    entries.set(form, { alone: form.length < shortLength, placeholder: shown })
    const known = lengths.get(form.slice(0, 2)) ?? []
    if (known.includes(form.length)) return
    lengths.set(
      form.slice(0, 2),
      [...known, form.length].sort((a, b) => b - a),
    )
  }

  return {
    add(value, category) {
      const text = value.trim()
      if (isCommon(text)) return
      const shown = placeholder(text, category)
      if (text.length < 2) return // its field alone identifies it
      for (const form of formsOf(text)) addForm(form.toLowerCase(), shown)
    },
    placeholder,
    replace(text) {
      const lower = text.toLowerCase()
      if (lower.length !== text.length) return '[text]'
      let result = ''
      let from = 0
      let at = 0
      while (at < lower.length - 1) {
        const form = lengths
          .get(lower.slice(at, at + 2))
          ?.map((length) => lower.slice(at, at + length))
          .find((one) => entries.has(one) && (!entries.get(one)!.alone || isAlone(lower, at, one.length)))
        if (form === undefined) {
          at++
          continue
        }
        result += text.slice(from, at) + entries.get(form)!.placeholder
        at += form.length
        from = at
      }
      return from === 0 ? text : result + text.slice(from)
    },
  }
}

/** Collects the values of all fields with such a category. */
export async function collect(known: Known, tree: unknown): Promise<void> {
  const yieldIfDue = createTimeSlice()

  async function walk(value: unknown, field: string): Promise<void> {
    if (typeof value === 'string') {
      const category = categoryOf(field)
      if (category !== undefined && category !== 'text' && !isFixedWord(field, value))
        addParts(known, value, category)
    } else if (Array.isArray(value)) {
      for (const item of value) await walk(item, field)
    } else if (typeof value === 'object' && value !== null) {
      await yieldIfDue()
      for (const [key, item] of Object.entries(value)) {
        await walk(item, openMaps.includes(field) ? '' : key)
      }
    }
  }

  await walk(tree, '')
}

/** Words of the product itself, which do not reveal an account. */
const ownWords = new Set(['root', 'admin', 'pam', 'pve', 'pbs', 'pmg', 'pulse-monitor', 'https', 'http'])

export function addParts(known: Known, value: string, category: Category): void {
  known.add(value, category)
  const parts =
    category === 'account' || category === 'token' ? value.split(/[@!…]/) : hostParts(value, category)
  for (const part of parts) {
    if (part.length >= 3 && part !== value && !ownWords.has(part.toLowerCase())) known.add(part, category)
  }
}

/** Host with port, host name and its first label, from a bare host or a whole URL. */
function hostParts(value: string, category: Category): string[] {
  if (category !== 'address' && category !== 'url') return []
  const url = URL.canParse(value) ? new URL(value) : undefined
  const host = (url?.host ? url.hostname : value).replace(/^\[|\]$/g, '')
  const isName = /[a-z]/i.test(host) && !host.includes(':')
  return [...(url?.host ? [url.host, url.username] : []), host, ...(isName ? [host.split('.')[0]!] : [])]
}

const isAlone = (text: string, at: number, length: number) =>
  !/[a-z0-9]/.test(text[at - 1] ?? ' ') && !/[a-z0-9]/.test(text[at + length] ?? ' ')

/** The text itself, and its forms inside encoded texts. */
function formsOf(text: string): string[] {
  if (text.length < encodedFrom) return [text]
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((before) => insideBase64(bytes, before))
  return [...new Set([text, ...base64, ...base64.map(toBase64Url), bytes.toString('hex')])].filter(
    (form) => form.length >= encodedFrom,
  )
}

/** The base64 characters that depend only on these bytes, for each possible offset in a longer text. */
function insideBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const end = Math.floor(((before + bytes.length) * 8) / 6)
  return text.slice(Math.ceil((before * 8) / 6), end)
}

const toBase64Url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
