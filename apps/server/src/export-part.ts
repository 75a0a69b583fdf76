import type { ImportChanges, Role } from '@pulse/contract'
import type { CompiledQuery } from 'kysely'
import * as z from 'zod/mini'
import { AppError } from './app-error.ts'
import type { Principal } from './auth/principal.ts'

/** The usable values of a Pulse 4.x export; the notes name the values left out. */
export interface Taken<T> {
  taken: T
  notes: string[]
}

/** Reads a part that Pulse 4.x named differently or wrote in another form. */
export interface LegacyPart<T = unknown> {
  /** field of the Pulse 4.x file */
  field: string
  /** Returns undefined when nothing is usable. */
  take(value: unknown): Taken<T | undefined>
}

/** An invalid field counts as absent. */
export const lenient = z.catch
export const text = lenient(z.string(), '')

export type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The importing caller: a signed-in user, or the console. */
export type Importer = Pick<Principal, 'name' | 'method'> &
  Partial<Pick<Principal, 'id' | 'userId' | 'isCurrent'>> & {
    /** new destinations of alerts send at once; otherwise they are imported disabled */
    confirmsDestinations?: boolean
  }

/** Deriving keys takes seconds and is queued. The caller may lose the right in the meantime. */
export function requireCurrent({ isCurrent }: Importer): void {
  if (isCurrent?.() ?? true) return
  throw new AppError('authentication_required', 'Authentication required')
}

/** The planned import of one part of a file. Nothing is written yet. */
export interface Plan {
  /** such as `2 nodes`; empty when nothing is imported */
  summary: string
  /** one sentence for each value that is left out or unchanged */
  notes: string[]
  /** new accounts and destinations, which an administrator has to confirm */
  changes?: Partial<ImportChanges>
  /** all accounts after the import */
  accounts?: { id: string; name: string; role: Role }[]
  /** run in one transaction with those of all other parts */
  queries: CompiledQuery[]
}

/** One part of the configuration. Its area provides it; a new part is an object like the existing ones. */
export interface TransferPart {
  key: string
  schema: z.ZodMiniType
  /** Returns the part for an export; undefined when it is empty. */
  read(): Promise<unknown>
  /**
   * Checks the whole part without side effects, and throws its problem. `earlier`: the plans of the parts
   * before it.
   */
  plan(value: unknown, by: Importer, earlier: readonly Plan[]): Promise<Plan>
  /** absent: nothing is imported from Pulse 4.x */
  older?: LegacyPart
}

export const part = <S extends z.ZodMiniType>(definition: {
  key: string
  schema: S
  read(): Promise<z.output<S> | undefined>
  plan(value: z.output<S>, by: Importer, earlier: readonly Plan[]): Promise<Plan>
  older?: LegacyPart<z.output<S>>
}): TransferPart => ({ ...definition, plan: definition.plan as TransferPart['plan'] })

export const nothing: Plan = { summary: '', notes: [], queries: [] }

/** An error that refuses the file; `where` is the place in the file. */
export const invalidFile = (where: string, problem: string): AppError =>
  new AppError('invalid_import', `The file cannot be imported: ${where}: ${problem}`)

/** Runs a check of the product on a place in the file. */
export function at<T>(where: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof AppError) throw invalidFile(where, error.message)
    if (error instanceof z.core.$ZodError) throw invalidFile(where, issueText(error))
    throw error
  }
}

/** The text never contains the value, which may be a secret. */
export function issueText({ issues: [issue] }: z.core.$ZodError): string {
  if (!issue) return 'not valid in an export'
  const unknown =
    issue.code === 'unrecognized_keys' ? ` (${issue.keys.slice(0, 5).join(', ').slice(0, 200)})` : ''
  const path = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
  return `${path === '' ? '' : `${path.replace(/^\./, '')}: `}${issue.message}${unknown}`
}

export const count = (n: number, one: string, many = `${one}s`): string =>
  n === 0 ? '' : `${n} ${n === 1 ? one : many}`

/** A list for users, cut to a short length. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `"${name}"`)
  const rest = names.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Lists the settings that an import leaves out of a Pulse 4.x file. */
export const leftOut = (what: string, left: readonly string[]): string[] =>
  left.length === 0 ? [] : [`Invalid ${what} were left out: ${listed(left)}.`]
