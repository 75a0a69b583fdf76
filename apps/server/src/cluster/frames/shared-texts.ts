import type { SentChanges } from './field-changes.ts'

/** `JSON.parse` shares shorter ones itself (V8 in Node 20 to 26). */
const shortest = 11
/** Above that, a field differs between most records, such as an id. */
const mostDifferent = 32

/** Records of one frame share equal texts of a field, and the text of their id. Otherwise each has its own in memory. */
export function shareTexts(put: SentChanges['put']) {
  /** by field; null: most are different */
  const known = new Map<string, Map<string, string> | null>()

  function shared(field: string, text: string): string | undefined {
    const texts = known.get(field)
    if (texts === null) return undefined
    if (texts === undefined) return void known.set(field, new Map([[text, text]]))
    const same = texts.get(text)
    if (same === undefined) {
      if (texts.size < mostDifferent) texts.set(text, text)
      else known.set(field, null)
    }
    return same
  }

  for (const entry of put) {
    const record = entry[1] as unknown as Record<string, unknown>
    if (record['id'] === entry[0]) entry[0] = record['id']
    for (const field in record) {
      const value = record[field]
      if (typeof value !== 'string' || value.length < shortest) continue
      const same = shared(field, value)
      if (same !== undefined) record[field] = same
    }
  }
}
