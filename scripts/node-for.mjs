import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

/** The pinned Node of a processor: what is installed, or fetched if that is wanted. Undefined when it is not at hand. */
export function nodeFor(arch, mayFetch) {
  const name = `node-linux-${arch}`
  const installed = path.join(root, 'node_modules', name, 'bin/node')
  if (existsSync(installed)) return installed
  const folder = path.join(root, 'node_modules/.cache', name)
  const fetched = path.join(folder, 'package/bin/node')
  if (!mayFetch) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  fetch(name, folder)
  return fetched
}

/** From the registry that npm uses, and only what the lock file says byte by byte. */
function fetch(name, folder) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder]
  const file = path.join(folder, String(execFileSync('npm', args, { cwd: folder })).trim())
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} ${version} has another checksum than the lock file says`)
  execFileSync('tar', ['-xzf', file, '-C', folder, 'package/bin/node'])
  rmSync(file)
}
