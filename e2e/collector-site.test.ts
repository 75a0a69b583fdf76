import type { PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newCredentials } from '../apps/server/src/cluster/sites/site-credentials.ts'
import { realClock } from '../apps/server/src/edges.ts'
import { hasOpenssl, makeAuthority } from '../apps/server/src/testing/certificates.ts'
import { urlOf } from '../apps/server/src/testing/database-of-tests.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { hasNats } from '../apps/server/src/testing/nats-server.ts'
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../apps/server/src/testing/postgres-server.ts'
import { runMain } from '../apps/server/src/testing/run-main.ts'
import { collectorFile, type SecuredNats, startSecuredNats } from '../apps/server/src/testing/secured-nats.ts'
import { adminToken, startTestServer, type TestServer } from '../apps/server/src/testing/server.ts'
import { makeRelease } from '../scripts/release.mjs'
import { within } from '../scripts/test-limits.ts'
import { platform } from './release/fixtures.ts'

const found = hasNats() && hasPostgres() && hasOpenssl()
if (!found) console.log('skipped: no NATS, no PostgreSQL or no openssl')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 4] the archive of a collector, as the documents set it up', () => {
  let folder: string
  let unpacked: string
  let postgres: PostgresServer
  let nats: SecuredNats
  let lab: Lab
  let home: TestServer
  let collector: ChildProcess
  let output = ''
  let url: string

  const at = (...parts: string[]) => path.join(folder, ...parts)

  async function unpack() {
    const how = { out: at('release'), platforms: [platform], agents: false, collectors: true, level: 1 }
    const { version } = await makeRelease(how)
    const name = `pulse-collector-v${version}-${platform}`
    execFileSync('tar', ['-xzf', at('release', `${name}.tar.gz`), '-C', folder])
    return at(name)
  }

  /** What its unit starts, with the unit's own variables. */
  function unit() {
    const text = fs.readFileSync(path.join(unpacked, 'pulse-collector.service'), 'utf8')
    const [, program] = /^ExecStart=\/opt\/pulse-collector\/(.+)$/m.exec(text)!
    const variables = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
    return {
      program: path.join(unpacked, program!),
      env: Object.fromEntries(variables) as Record<string, string>,
    }
  }

  const state = async () => (await home.call('GET', '/api/state')).body as PlainState
  const guests = async () => {
    const { vms, containers } = await state()
    return [...vms, ...containers].map(({ name }) => name)
  }
  const ready = () =>
    fetch(`${url}/api/health/ready`).then(
      ({ status }) => status,
      () => 0,
    )

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-collector-site-'))
    unpacked = await unpack()
    ;[postgres, lab] = await Promise.all([
      startPostgres(),
      startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 0 }),
    ])
    const database = {
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_ENCRYPTION_KEY_FILE: at('encryption-key'),
    }
    const made = await runMain(at('command'), {
      args: ['site-key', 'Berlin', '--to', at('berlin')],
      env: database,
    })
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('has a new key')])
    fs.copyFileSync(at('berlin/nats-account.conf'), at('site-berlin.conf'))
    const own = newCredentials()
    fs.writeFileSync(at('nats.creds'), own.text, { mode: 0o600 })
    const authority = makeAuthority(folder, 'ca')
    nats = await startSecuredNats(folder, authority, {
      'nats-users.conf': collectorFile('nats-users.conf').replace(/nkey: \w+/, `nkey: ${own.publicKey}`),
      'nats-exports.conf': collectorFile('nats-exports.conf'),
    })
    home = await startTestServer(realClock, {
      API_TOKENS: adminToken,
      ...database,
      PULSE_NATS_URL: nats.urls.join(),
      PULSE_NATS_CREDENTIALS_FILE: at('nats.creds'),
      PULSE_NATS_CA_FILE: authority.file,
    })
    const { program, env } = unit()
    const port = String(await freePort())
    url = `http://127.0.0.1:${port}`
    collector = spawn(program, [], {
      env: {
        PATH: process.env['PATH'],
        CACHE_DIRECTORY: at('cache'),
        ...env,
        PULSE_ROLES: 'collect',
        PULSE_SITE: 'Berlin',
        PULSE_SITE_KEY_FILE: at('berlin/site.key'),
        PULSE_NATS_URL: nats.urls.join(),
        PULSE_NATS_CREDENTIALS_FILE: at('berlin/nats.creds'),
        PULSE_NATS_CA_FILE: authority.file,
        FRONTEND_PORT: port,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [collector.stdout!, collector.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  })
  afterAll(async () => {
    collector?.kill('SIGKILL')
    await home?.stop()
    await lab?.close()
    await Promise.all([postgres?.remove(), ...(nats?.servers ?? []).map((one) => one.remove())])
    fs.rmSync(folder, { recursive: true, force: true })
  })

  test('is ready over TLS, and the pages show the hosts of its site', async () => {
    await expect.poll(ready, limit).toBe(200)
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
    const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
    const node = { type: 'pve', name: 'pve', site: 'Berlin', host, fingerprint, tokenName, tokenValue }
    const { status, text } = await home.call('POST', '/api/config/nodes', node)
    expect([status, text]).toEqual([201, expect.any(String)])
    await expect.poll(guests, limit).toHaveLength(4)
    lab.control.patchGuest(100, { name: 'changed-since' })
    await expect.poll(guests, limit).toContain('changed-since')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('pulse_cluster_sources 1')
    expect(output).not.toMatch(/"level":[456]0/)
  })

  test('ends as its unit ends it', async () => {
    const ended = once(collector, 'exit')
    collector.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})
