import { type AnyRecord, kindOf, type RecordKind } from '@pulse/contract'
import { type InSteps, STEP } from './in-steps.ts'

/**
 * The documented lists of a kind with their records, including empty lists. The name of a nested list has a
 * dot.
 */
export function* listsInSteps(
  kind: RecordKind,
  records: readonly AnyRecord[],
): InSteps<[name: string, records: readonly AnyRecord[]][]> {
  const { list } = kindOf(kind).plain!
  if (typeof list === 'string') return [[list, records]]
  const byWord = new Map(Object.keys(list.of).map((word): [string, AnyRecord[]] => [word, []]))
  for (const [n, record] of records.entries()) {
    if (n % STEP === STEP - 1) yield
    byWord.get(wordIn(record, list.by))?.push(record)
  }
  return Object.entries(list.of).map(([word, name]) => [name, byWord.get(word)!])
}

/** Compares by the given fields; a minus reverses the order. */
export function comparison(order: readonly string[] = []): (a: AnyRecord, b: AnyRecord) => number {
  const fields = order.map((name) => ({ name: name.replace('-', ''), sign: name.startsWith('-') ? -1 : 1 }))
  return (a, b) => {
    for (const { name, sign } of fields) {
      const [left, right] = [a[name as never] as unknown, b[name as never] as unknown]
      if (!isWord(left) || !isWord(right)) continue
      if (left < right) return -sign
      if (left > right) return sign
    }
    return 0
  }
}

export function wordIn(record: AnyRecord, field: string): string {
  const value: unknown = record[field as never]
  return isWord(value) ? String(value) : ''
}

const isWord = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
