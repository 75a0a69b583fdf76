import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { invalidFile, issueText, type TransferPart } from '../export-part.ts'
import { type Content, parseJson } from './document.ts'

/** An export of Pulse 4.x. The parts interpret its other fields. */
const LegacyExport = z.looseObject({
  version: z.string(),
  nodes: z.looseObject({}),
})

/** Converts an export of Pulse 4.x to the parts of this version. The notes name the values left out. */
export function fromLegacy(json: string, parts: readonly TransferPart[]): Content {
  const result = LegacyExport.safeParse(parseJson(json))
  if (!result.success) throw invalidFile('an export of Pulse 4.x', issueText(result.error))
  const older = result.data
  if (!['4.0', '4.1'].includes(older.version)) {
    throw new AppError(
      'invalid_import',
      `The file has the version "${older.version.slice(0, 20)}". Only exports of Pulse 4.x can be imported.`,
    )
  }
  const values: Content['values'] = {}
  const notes: string[] = []
  for (const { key, older: from } of parts) {
    if (!from) continue
    const { taken, notes: own } = from.take(older[from.field])
    if (taken !== undefined) values[key] = taken
    notes.push(...own)
  }
  return { values, notes }
}
