import type { Api } from '../../../api/client.ts'
import { ApiError } from '../../../api/request.ts'

/** Problems of a form, keyed by the server's field names. */
export type Problems = Readonly<Record<string, string | undefined>>

/** One document of settings that this page edits. The page saves all its documents together. */
export interface Part<Stored, Form extends object> {
  /** also its query key */
  id: string
  /** its name on the page */
  name: string
  load(api: Api, signal?: AbortSignal): Promise<Stored>
  /** Resolves with the stored settings. */
  save(api: Api, form: Form): Promise<Stored>
  toForm(stored: Stored): Form
  /** Problems that block saving. */
  problems(form: Form): Problems
}

export const abortable = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

export const firstOf = (problems: Problems): string | undefined =>
  Object.values(problems).find((problem) => problem !== undefined)

/** The server's objections, by field. */
export function detailsOf(error: unknown): Problems {
  const { details } = (error instanceof ApiError ? (error.body ?? {}) : {}) as { details?: Problems }
  return details ?? {}
}

/** One entry per line; blank and repeated lines are dropped. */
export const linesOf = (text: string, divider: RegExp = /\n/): string[] => [
  ...new Set(
    text
      .split(divider)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
