import path from 'node:path'
import { startNode } from './child.mjs'
import { root } from './pinned-node.mjs'

// A small young space and few malloc arenas: a quarter less memory at the same CPU, measured at 75 and 2,500 guests.
// The heap is collected when it has grown by half: by default V8 waits until it is several times as large.
// A fixed threshold for mmap: otherwise malloc raises it after the first password (19 MB) and does not release such blocks.
export const productFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50']

export const productVariables = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

/** Starts the built product as a release runs it. */
export function startProduct(env, { stdio = 'inherit', args = [] } = {}) {
  return startNode([...productFlags, path.join(root, 'apps/server/dist/main.js'), ...args], {
    stdio,
    env: {
      ...productVariables,
      PULSE_FRONTEND_DIR: path.join(root, 'apps/web/dist'),
      PULSE_AGENT_DIR: path.join(root, 'apps/agent/dist'),
      NODE_COMPILE_CACHE: path.join(root, 'apps/server/dist/.compile-cache'),
      ...env,
    },
  })
}
