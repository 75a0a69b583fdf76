import { type Engine, startDocker } from '@pulse/testkit/engine'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../scripts/pinned-node.mjs'
import { makeRelease } from '../scripts/release.mjs'
import { within } from '../scripts/test-limits.ts'
import { composeService } from './release/compose.ts'
import { platform } from './release/fixtures.ts'
import { base, importBase } from './release/image-base.ts'

const docker = await startDocker()
const natsServer = '/usr/sbin/nats-server'
const hasNats = fs.existsSync(natsServer)
if (!hasNats) console.log('skipped: no NATS')

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

describe.skipIf(!docker || !hasNats)('the image of a collector', () => {
  const { cli, enter } = docker ?? ({} as Engine)
  const file = path.join(root, 'deploy/collector/compose.yaml')
  let nats: ChildProcess
  beforeAll(async () => {
    const [command, ...args] = [...enter, natsServer, '-a', '127.0.0.1', '-p', '4222']
    nats = spawn(command!, args, { stdio: 'ignore' })
    const secrets = { 'site.key': randomBytes(32).toString('base64'), 'nats.creds': '', 'ca.pem': '' }
    fs.chmodSync(folder, 0o755)
    fs.mkdirSync(path.join(folder, 'secrets'))
    for (const [name, text] of Object.entries(secrets)) {
      const at = path.join(folder, 'secrets', name)
      fs.writeFileSync(at, text, { mode: 0o600 })
      fs.chownSync(at, 65532, 65532)
    }
    await importBase(docker!)
    process.env['DOCKER_BUILDKIT'] = '1'
  })
  afterAll(async () => {
    nats?.kill()
    await docker?.stop()
  })

  test('is built from the archive, is healthy, and needs no more rights than its compose file gives', async () => {
    const [dockerfile, release] = [path.join(root, 'deploy/docker/Dockerfile'), path.join(folder, 'release')]
    const given = ['PACKAGE=pulse-collector', `BASE=${base}`].flatMap((one) => ['--build-arg', one])
    await cli('build', '-f', dockerfile, ...given, '-t', 'pulse-collector', release)
    const variables = { PULSE_SITE: 'Berlin', PULSE_NATS_URL: 'nats://127.0.0.1:4222' }
    const words = composeService(file, 'collector', variables)
    const here = words.map((word) => word.replace(/^\.\/secrets\//, `${folder}/secrets/`))
    const how = ['--network', 'host', '--health-interval', '1s']
    await cli('run', '-d', '--name', 'collector', ...how, ...here)
    const health = () => cli('inspect', 'collector', '-f', '{{.State.Health.Status}}')
    await expect.poll(health, { timeout: within(60_000), interval: 200 }).toBe('healthy')
    expect(await cli('exec', 'collector', '/opt/pulse/bin/pulse', 'health')).toContain('healthy')
    await cli('stop', 'collector')
    expect(await cli('inspect', 'collector', '-f', '{{.State.ExitCode}}')).toBe('0')
  })
})
