import { asAdmin } from './server.ts'

export interface CallReply {
  ok: boolean
  status: number
  body: unknown
}

/** Undefined: no answer, or none in time. */
export type CallWithin = (
  url: string,
  method: string,
  where: string,
  body?: unknown,
  credentials?: Record<string, string>,
) => Promise<CallReply | undefined>

/** A call that a process may be killed under, or may never answer. */
export const callWithin =
  (limitMs: number): CallWithin =>
  async (url, method, where, body, credentials = asAdmin) => {
    try {
      const answer = await fetch(url + where, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...credentials },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limitMs),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return { ok: answer.ok, status: answer.status, body: isJson && text ? JSON.parse(text) : text }
    } catch {
      return undefined
    }
  }
