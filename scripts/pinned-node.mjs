// Runs on the installed Node (20.19 or later) and finds the pinned Node, which runs everything else.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The path of the pinned Node. npm 10 does not link it into .bin when two packages claim the name. */
export function pinnedNode() {
  const [major] = process.versions.node.split('.').map(Number)
  const name = `node-${process.platform}-${process.arch}`
  const file = path.join(root, 'node_modules', name, 'bin', 'node')
  if (existsSync(file)) return file
  if (major >= 26) return process.execPath
  console.error(
    `Pulse runs on Node 26, which comes as the package ${name}, but that is not installed.\n` +
      (process.platform === 'linux'
        ? 'Run "npm ci" without --omit=optional (on musl systems such as Alpine install Node 26 yourself).'
        : 'Install Node 26 or later and try again.'),
  )
  process.exit(1)
}

/** The environment for child processes, with the pinned Node first in PATH. */
export function pinnedEnv(extra = {}) {
  const folder = path.dirname(pinnedNode())
  return { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}`, ...extra }
}
