import { categoryOf, isCommon, isFixedWord, openMaps } from './fields.ts'
import type { Known } from './known.ts'
import { piecesOf } from '../masking/patterns.ts'
import { createTimeSlice } from '../timing/yield.ts'

/** A copy without anything that is identified by its value, its field or its form. */
export async function sanitize(value: unknown, known: Known): Promise<unknown> {
  const yieldIfDue = createTimeSlice()

  async function walk(item: unknown, field: string): Promise<unknown> {
    if (typeof item === 'string') return cleaned(item, field, known)
    if (typeof item !== 'object' || item === null) return item
    await yieldIfDue()
    if (Array.isArray(item)) return walkList(item, field)
    const isOpen = openMaps.includes(field)
    const result: Record<string, unknown> = {}
    for (const [key, inner] of Object.entries(item)) {
      result[isOpen ? cleaned(key, '', known) : key] = await walk(inner, isOpen ? `${field}.value` : key)
    }
    return result
  }

  async function walkList(list: unknown[], field: string) {
    const result: unknown[] = []
    // A list in a field for users' texts is the product's own; a single text is a user's.
    const own = categoryOf(field) === 'text' ? '' : field
    for (const inner of list) result.push(await walk(inner, own))
    return result
  }

  return walk(value, '')
}

/** Decodes escapes, so that an address inside an address is recognised. */
const decoded = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })

function cleaned(text: string, field: string, known: Known): string {
  if (isCommon(text) || isFixedWord(field, text)) return text
  if (field === 'labels.value' || field === 'metadata.value') return '[text]'
  const category = categoryOf(field)
  if (category === 'text') return '[text]'
  if (category !== undefined) return known.placeholder(text.trim(), category)
  return piecesOf(decoded(text))
    .map((piece) =>
      piece.category ? known.placeholder(piece.text, piece.category) : known.replace(piece.text),
    )
    .join('')
}
