import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { issueText, type TransferPart } from '../export-part.ts'

const FORMAT = 'pulse-configuration'
const VERSION = 1

/** The input of an import: the value of each part by key, and notes about unusable values. */
export interface Content {
  values: Record<string, unknown>
  notes: string[]
}

export const toText = (values: Record<string, unknown>, nowMs: number): string =>
  JSON.stringify({
    format: FORMAT,
    version: VERSION,
    exportedAt: new Date(nowMs).toISOString(),
    ...values,
  })

/** Throws `invalid_import` on anything that an export of this version cannot contain. */
export function fromText(text: string, parts: readonly TransferPart[]): Content {
  const json = parseJson(text)
  const version = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(json)
  if (!version.success) throw refusal('it contains no Pulse configuration.')
  if (version.data.version !== VERSION) {
    throw refusal(
      `it was written by another version of Pulse (format ${version.data.version}, supported is ${VERSION}).`,
    )
  }
  const schema = z.strictObject({
    format: z.literal(FORMAT),
    version: z.literal(VERSION),
    exportedAt: z.iso.datetime(),
    ...Object.fromEntries(parts.map(({ key, schema }) => [key, z.optional(schema)])),
  })
  const result = schema.safeParse(json)
  if (!result.success) throw refusal(`${issueText(result.error)}.`)
  const { format: _format, version: _version, exportedAt: _at, ...values } = result.data
  return { values, notes: [] }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('it is not JSON inside.') // without the cause, which would quote the content
  }
}

const refusal = (problem: string) => new AppError('invalid_import', `The file cannot be imported: ${problem}`)
