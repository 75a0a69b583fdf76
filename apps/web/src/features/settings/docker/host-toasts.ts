import { reasonOf } from '../../../api/reason.ts'

/** Milliseconds that a message about a host stays. */
export const toastMs = { done: 3_500, failed: 8_000 } as const

/** What failed, and why where that is known. */
export function failureText(what: string, error: Error): string {
  const reason = reasonOf(error)
  return reason ? `${what}: ${reason}` : what
}
