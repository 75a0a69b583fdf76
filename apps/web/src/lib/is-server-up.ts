import { getHealth } from '@pulse/contract'
import { basePath } from './base-path.ts'

/** Shorter than the interval between two probes. */
const timeoutMs = 1_900

/** Calls an endpoint that needs no permissions; never rejects. */
export const isServerUp = (): Promise<boolean> =>
  fetch(basePath + getHealth.path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
