import type { ImportChanges, Role } from '@pulse/contract'
import type { CompiledQuery } from 'kysely'
import * as z from 'zod/mini'
import { AppError } from './app-error.ts'
import type { Principal } from './auth/principal.ts'

/** What is taken over of an export of Pulse 4.x; what does not fit is left out and named. */
export interface Taken<T> {
  taken: T
  notes: string[]
}

/** How a part reads what Pulse 4.x called by another name, or wrote in another form. */
export interface LegacyPart<T = unknown> {
  /** of that file */
  field: string
  /** Undefined is taken for nothing at all. */
  take(value: unknown): Taken<T | undefined>
}

/** A field that is not what it should be counts as not there. */
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

/** Deriving keys takes seconds, and several wait for their turn: a right may have ended meanwhile. */
export function requireCurrent({ isCurrent }: Importer): void {
  if (isCurrent?.() ?? true) return
  throw new AppError('authentication_required', 'Authentication required')
}

/** What an import would do with one part of a file. Nothing has happened yet. */
export interface Plan {
  /** such as `2 nodes`; empty when nothing is taken over */
  summary: string
  /** what is left out or left as it is, each a sentence */
  notes: string[]
  /** who and what would be let in or asked: a person decides about these */
  changes?: Partial<ImportChanges>
  /** accounts that will be here then */
  accounts?: { id: string; name: string; role: Role }[]
  /** of all parts in one transaction */
  queries: CompiledQuery[]
}

/** One piece of the configuration. A new one is an object like its neighbours, handed over by its area. */
export interface TransferPart {
  key: string
  schema: z.ZodMiniType
  /** What an export carries; undefined when there is nothing. */
  read(): Promise<unknown>
  /** Checks all of it and touches nothing; throws what is wrong. Knows what the parts before it are about to do. */
  plan(value: unknown, by: Importer, earlier: readonly Plan[]): Promise<Plan>
  /** absent: of Pulse 4.x nothing is taken over */
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

/** Why a file is refused; `where` is the place in it. */
export const invalidFile = (where: string, problem: string): AppError =>
  new AppError('invalid_import', `The file cannot be imported: ${where}: ${problem}`)

/** What a check of the product says about a place in the file. */
export function at<T>(where: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof AppError) throw invalidFile(where, error.message)
    if (error instanceof z.core.$ZodError) throw invalidFile(where, issueText(error))
    throw error
  }
}

/** Never a value: it may be a secret. */
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

/** A list for people that stays short. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `"${name}"`)
  const rest = names.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Names what an import leaves out of a file of Pulse 4.x. */
export const leftOut = (what: string, left: readonly string[]): string[] =>
  left.length === 0 ? [] : [`Invalid ${what} were left out: ${listed(left)}.`]
