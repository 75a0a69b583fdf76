import { ApiError } from '../../api/request.ts'

/** Why a call failed, in the words of the server or the network. */
export const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.message : undefined

/** Nobody is signed in, or somebody who may not. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/** What failed and why, once something has. */
export const failureOf = (title: string, error: unknown) =>
  error ? { title, reason: reasonOf(error) } : undefined

/** The server's own words; the fallback when it said nothing, or nothing was heard of it. */
export const wordsOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && !/^Request failed with status \d+$/.test(error.message)
    ? error.message
    : fallback
