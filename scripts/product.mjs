import path from 'node:path'
import { startNode } from './child.mjs'
import { root } from './pinned-node.mjs'

// A small young generation and a single malloc arena save a quarter of the memory at the same CPU load,
// measured with 75 and 2,500 guests. V8 collects the heap when it has grown by half; by default it waits
// until the heap is several times as large. A fixed mmap threshold: otherwise malloc raises it after the
// first password (19 MB) and never releases such blocks.
const flagsWith = (youngMB, growingPercent = 50) => [
  `--max-semi-space-size=${youngMB}`,
  `--heap-growing-percent=${growingPercent}`,
  '--no-memory-pool',
]
export const productFlags = flagsWith(4)
/**
 * Of a process that only collects or judges. Several processes have a young generation each, and all of a poll dies young:
 * 16 MB make 13 % less CPU there.
 */
export const behindFlags = flagsWith(16)

/**
 * Of a process that only serves. Two of them with 10,000 guests and three clients each, side by side: 4 % less memory than with 50 %, for
 * half a percent of a core. 25 % make a start with 10,000 guests half a second longer.
 */
export const serveFlags = flagsWith(4, 35)

function flagsFor({ PULSE_ROLES: roles = process.env.PULSE_ROLES ?? '' }) {
  if (roles === 'serve') return serveFlags
  return roles === '' || roles.includes('serve') ? productFlags : behindFlags
}

export const productVariables = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

/** Starts the built product like a release. */
export function startProduct(env, { stdio = 'inherit', args = [] } = {}) {
  return startNode([...flagsFor(env), path.join(root, 'apps/server/dist/main.js'), ...args], {
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
