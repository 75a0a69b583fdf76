import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ended, step } from './child.mjs'
import { root } from './pinned-node.mjs'

/** Installs the packages in the lock file if any are missing or the lock file has changed. */
export async function ensureInstalled() {
  const marker = path.join(root, 'node_modules', '.pulse-installed')
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  const code = await step('Installing packages (only now and after an update)', () => ended(npmInstall()))
  if (code !== 0) {
    console.error('The packages could not be installed; npm said why above.')
    process.exit(code)
  }
  writeFileSync(marker, wanted)
}

const npmInstall = () =>
  spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
