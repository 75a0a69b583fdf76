import { getHealth } from '@pulse/contract'
import { basePath } from './base-path.ts'

/** Given up before whoever waits for the server looks again. */
const timeoutMs = 1_900

/** Whether the server is there for a call that needs no rights. */
export const serverAnswers = (): Promise<boolean> =>
  fetch(basePath + getHealth.path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
