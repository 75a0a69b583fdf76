import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRelease } from '../scripts/release.mjs'
import { platform } from './release/fixtures.ts'

let folder: string
let name: string
let unpacked: string

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-collector-release-'))
  const out = path.join(folder, 'release')
  const how = { out, platforms: [platform], agents: false, collectors: true, level: 1 }
  const { version } = await makeRelease(how)
  name = `pulse-collector-v${version}-${platform}`
  execFileSync('tar', ['-xzf', path.join(out, `${name}.tar.gz`), '-C', folder])
  unpacked = path.join(folder, name)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const run = (env: Record<string, string>, ...args: string[]) =>
  spawnSync(path.join(unpacked, 'bin/pulse'), args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], CACHE_DIRECTORY: path.join(folder, 'cache'), ...env },
  })

test('the archive of a collector has the program and its unit, without pages and agents', () => {
  expect(fs.readdirSync(unpacked).toSorted()).toEqual([
    'LICENCES-OF-OTHERS',
    'LICENSE',
    'bin',
    'pulse-collector.service',
    'release.json',
    'sbom.cdx.json',
    'server',
  ])
  const sums = fs.readFileSync(path.join(folder, 'release/SHA256SUMS'), 'utf8')
  expect(sums).toContain(`${name}.tar.gz`)
})

test('it starts as a collector and needs no data folder', () => {
  const key = path.join(folder, 'site.key')
  fs.writeFileSync(key, randomBytes(32).toString('base64'), { mode: 0o600 })
  const data = path.join(folder, 'data')
  const { status, stderr } = run({
    PULSE_DATA_DIR: data,
    PULSE_ROLES: 'collect',
    PULSE_SITE: 'Berlin',
    PULSE_SITE_KEY_FILE: key,
    PULSE_NATS_URL: 'nats://127.0.0.1:1',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('NATS at 127.0.0.1:1 cannot be used')])
  expect(fs.existsSync(data)).toBe(false)
  expect(run({}, 'version').stdout).toMatch(/^\d+\.\d+\.\d+/)
})
