import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = new URL('../../../../node_modules/.cache/', import.meta.url)

/** Built before the run when its sources have changed (`scripts/test-product.ts`). */
export const builtServer = fileURLToPath(new URL('pulse-server/dist/main.js', cache))

/** The program that switches releases, as shipped. */
export const builtSwitch = fileURLToPath(new URL('pulse-server/dist/switch.cjs', cache))

/** A process with cached compiled code starts in a third of the time. */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('pulse-tests', cache)) }

/** The built server with another version, which may have migrations beyond those of this one. */
export function serverOfVersion(version: string, migrations: Readonly<Record<string, string>> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-version-'))
  const dist = path.join(folder, 'dist')
  fs.cpSync(path.dirname(builtServer), dist, { recursive: true })
  const about = path.join(path.dirname(builtServer), '../package.json')
  const known = JSON.parse(fs.readFileSync(about, 'utf8')) as object
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...known, version }))
  for (const [name, sql] of Object.entries(migrations))
    fs.writeFileSync(path.join(dist, 'migrations', name), sql)
  return {
    program: path.join(dist, path.basename(builtServer)),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}
