import type { Api } from '../../../api/client.ts'
import { ApiError } from '../../../api/request.ts'

/** What is wrong, by the names that the server has for the fields. */
export type Problems = Readonly<Record<string, string | undefined>>

/** Something that is edited on this page and saved with everything else that is. */
export interface Part<Stored, Form extends object> {
  /** also its key among the queries */
  id: string
  /** as people know it */
  name: string
  load(api: Api, signal?: AbortSignal): Promise<Stored>
  /** Answers what is stored then. */
  save(api: Api, form: Form): Promise<Stored>
  toForm(stored: Stored): Form
  /** What keeps it from being saved. */
  problems(form: Form): Problems
}

export const firstOf = (problems: Problems): string | undefined =>
  Object.values(problems).find((problem) => problem !== undefined)

/** What the server objected to, by field. */
export function detailsOf(error: unknown): Problems {
  const { details } = (error instanceof ApiError ? (error.body ?? {}) : {}) as { details?: Problems }
  return details ?? {}
}

/** One in each line; what is blank, or there already, is nothing. */
export const linesOf = (text: string, divider: RegExp = /\n/): string[] => [
  ...new Set(
    text
      .split(divider)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
