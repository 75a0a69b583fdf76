import { postHistoryBackTest } from '@pulse/contract'
import { readOnlyReason } from '../lib/moment.tsx'
import type { Api } from './client.ts'
import { isSafe } from './request.ts'

/** Calls that read, although they have a body. */
const reading: readonly string[] = [postHistoryBackTest.path]

/** The API for a page of the past: a call that would change something is refused before it is sent. */
export function readOnlyApi(api: Api): Api {
  return {
    ...api,
    async send(url, options) {
      refuseChange(url, options?.method)
      return api.send(url, options)
    },
    async call(endpoint, ...args) {
      refuseChange(endpoint.path, endpoint.method)
      return api.call(endpoint, ...args)
    },
  }
}

function refuseChange(path: string, method: string | undefined): void {
  if (!isSafe(method) && !reading.includes(path)) throw new Error(`${readOnlyReason}.`)
}
