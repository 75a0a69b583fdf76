import { ApiError } from './request.ts'

/** The reason of a failed call, from the server or the network. */
export const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.message : undefined

/** The caller is not signed in or lacks the permission. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/** Validation errors of the server, by field. */
export function problemsOf(error: unknown): Readonly<Partial<Record<string, string>>> {
  const { details } = (error instanceof ApiError ? (error.body ?? {}) : {}) as {
    details?: Readonly<Partial<Record<string, string>>>
  }
  return details ?? {}
}

/** Title and reason of a failure; undefined without one. */
export const failureOf = (title: string, error: unknown) =>
  error ? { title, reason: reasonOf(error) } : undefined

/** The error's own message, or the fallback. */
export function wordsOf(error: unknown, fallback: string): string {
  const hasNoMessage = error instanceof ApiError && error.hasNoMessage
  return (hasNoMessage ? undefined : reasonOf(error)) || fallback
}
