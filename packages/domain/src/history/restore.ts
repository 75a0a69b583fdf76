import { kindOf, type RecordKind } from '@pulse/contract'
import { splitPath } from '../wire/complete.ts'
import { type Fields, type RestoredField, restoredFields } from './logged-fields.ts'

/** The sample of a figure at a moment, in the figure's unit; undefined: there is none. */
export type SampleAt = (field: RestoredField, id: string) => number | 'stopped' | undefined

/**
 * Writes the sampled figures of a moment into the records. A figure without a sample is absent, and so is an object
 * that needs it. What is stopped uses nothing.
 */
export function restoreFigures(
  kind: RecordKind,
  records: Iterable<readonly [id: string, record: Fields]>,
  sampleAt: SampleAt,
): void {
  const fields = restoredFields(kind)
  const { passing = {} } = kindOf(kind)
  for (const [id, record] of records)
    for (const field of fields) {
      const sample = sampleAt(field, id)
      const isNeeded = passing[field.path] === 'needed'
      const value = sample === 'stopped' ? (isNeeded ? 0 : undefined) : sample
      const [within, name] = splitPath(field.path)
      const holder = within === undefined ? record : (record[within] as Fields | undefined)
      if (!holder) continue
      if (value !== undefined) put(record, within, name, value)
      else if (isNeeded) delete record[within ?? name]
    }
}

/** Objects of a record may be shared with other moments. */
function put(record: Fields, within: string | undefined, name: string, value: number) {
  if (within === undefined) record[name] = value
  else record[within] = { ...(record[within] as Fields), [name]: value }
}
