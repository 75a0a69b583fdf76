import { spawn } from 'node:child_process'
import { pinnedEnv, pinnedNode, root } from './pinned-node.mjs'

/** Starts a script on the pinned Node, in the repository root by default. */
export function startNode(args, { env = {}, stdio = 'inherit', cwd = root } = {}) {
  return spawn(pinnedNode(), args, { cwd, stdio, env: pinnedEnv(env) })
}

/** Resolves with the exit code; a signal counts as 1. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}

export const runNode = (args, options) => ended(startNode(args, options))

/** Forwards signals, so that stopping npm stops the product cleanly. */
export function passSignals(...children) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      for (const child of children) if (child.exitCode === null) child.kill(signal)
    })
  }
}

const INTERVAL_MS = 5_000

/** Runs a long step, and prints its start, its progress and, after some seconds, its end. */
export async function step(what, work, say = console.log) {
  const from = Date.now()
  const elapsed = () => `${Math.round((Date.now() - from) / 1000)} s`
  say(`${what} …`)
  const timer = setInterval(() => say(`${what} … ${elapsed()}`), INTERVAL_MS)
  try {
    const result = await work()
    if (Date.now() - from >= INTERVAL_MS) say(`${what}: done after ${elapsed()}`)
    return result
  } finally {
    clearInterval(timer)
  }
}
