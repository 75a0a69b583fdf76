import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../scripts/pinned-node.mjs'
import { within } from '../scripts/test-limits.ts'
import { aKey } from './release/fixtures.ts'

/** Takes minutes: everything is built twice, and Node for the other platform is downloaded. */
const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) >= 10
if (!isLong) console.log('skipped: the release built in two folders belongs to npm run test:long')

describe.runIf(isLong)('[S20] npm run release', () => {
  let folder: string
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-again-'))
    aKey(path.join(folder, 'key.pem'))
  })
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  /** The sources and packages of this checkout, without build results. */
  function checkout(name: string): string {
    const copy = path.join(folder, name)
    const built = new Set(['node_modules', 'dist', '.git', 'data', 'out'])
    fs.cpSync(root, copy, { recursive: true, filter: (file) => !built.has(path.basename(file)) })
    execFileSync('cp', ['-al', path.join(root, 'node_modules'), copy])
    for (const cache of ['.cache', '.vite'])
      fs.rmSync(path.join(copy, 'node_modules', cache), { recursive: true, force: true })
    return copy
  }

  async function release(cwd: string, umask: string): Promise<string> {
    const env = { ...process.env, PULSE_RELEASE_KEY_FILE: path.join(folder, 'key.pem') }
    const words = ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, 'scripts/release.mjs']
    const child = spawn('sh', words, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    expect(await once(child, 'exit')).toEqual([0, null])
    return path.join(cwd, 'dist/release')
  }

  test(
    'makes the same bytes in two folders, for two people',
    async () => {
      const checkouts = [checkout('one'), checkout('further/down/two')] as const
      const one = await release(checkouts[0], '022')
      const two = await release(checkouts[1], '077')
      // compares the packed files by name, then the archives
      for (const app of ['web', 'server', 'agent']) {
        const built = checkouts.map((cwd) => path.join(cwd, 'apps', app, 'dist'))
        expect(spawnSync('diff', ['-rq', '--exclude=.built', ...built], { encoding: 'utf8' }).stdout).toBe('')
      }
      const names = fs.readdirSync(one)
      expect(names.filter((name) => name.endsWith('.tar.gz'))).toHaveLength(2)
      expect(fs.readdirSync(two)).toEqual(names)
      const differs = (name: string) => {
        const [a, b] = [one, two].map((at) => fs.readFileSync(path.join(at, name)))
        return !a!.equals(b!)
      }
      expect(names.filter(differs)).toEqual([])
    },
    within(900_000),
  )
})
