import { Health } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToken, steppedClock } from '../testing/people.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { watchThreads } from '../testing/threads.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { within } from '../../../../scripts/test-limits.ts'

const clock = steppedClock()
let server: TestServer
let killThread: () => void
beforeAll(async () => {
  killThread = watchThreads()
  server = await startTestServer(clock)
})
afterAll(() => server.stop())

const health = async (call = server.call) => Health.parse((await call('GET', '/api/health')).body)
const notices = async () => {
  const { body } = await server.call('GET', '/api/diagnostics')
  return JSON.stringify(body)
}

test('[facts/platform 12.6] what older clients read of the temperature proxy is there, and false', async () => {
  expect((await server.as({})('GET', '/api/health')).body).toMatchObject({
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    proxyInstallScriptAvailable: false,
    devModeSSH: false,
  })
})

describe.skipIf(isOnPostgres)('[R7] a database thread that dies', () => {
  test('fails calls with a reason, is back by itself, and everything stored is as it was', async () => {
    await server.call('PUT', '/api/guests/metadata/a-b-100', { customUrl: 'https://one.example' })
    const token = await addToken(server.call, { name: 'stays', scopes: ['monitoring:read'] })
    const underWay = server.call('GET', '/api/guests/metadata/a-b-100')
    killThread()
    const { status, body, headers } = await underWay
    // the server may already be ready
    if (status !== 200) {
      expect(status).toBe(503)
      expect(body).toMatchObject({
        code: 'database_restarting',
        error: expect.stringContaining('being restarted'),
      })
      expect(headers.get('retry-after')).toBe('2')
    }
    await expect.poll(async () => (await server.call('GET', '/api/guests/metadata/a-b-100')).status).toBe(200)
    expect((await server.call('GET', '/api/guests/metadata/a-b-100')).body).toMatchObject({
      customUrl: 'https://one.example',
    })
    expect((await server.as({ 'x-api-token': token.token })('GET', '/api/stats')).status).toBe(200)
    expect((await health()).status).toBe('healthy')
    expect(server.logLines.filter((line) => line.includes('thread ended unexpectedly (')).length).toBe(1)
  })

  test('an administrator sees why; a reader and a stranger do not', async () => {
    expect((await health()).troubles).toEqual([
      expect.objectContaining({ id: 'database-thread', count: 1, current: false }),
    ])
    const reader = await addToken(server.call, { name: 'reads', scopes: ['monitoring:read'] })
    for (const who of [{}, { 'x-api-token': reader.token }]) {
      expect((await server.as(who)('GET', '/api/health')).text).not.toContain('troubles')
    }
    expect(await notices()).toContain('The database thread ended unexpectedly and was restarted.')
  })
})

test('an uncaught exception degrades, is counted, and says nothing to strangers', async () => {
  server.server.report('exception', new Error('canary-in-an-exception'))
  server.server.report('rejection', 'canary-in-a-rejection')
  server.server.report('exception', new Error('canary-in-an-exception'))
  const { status, troubles } = await health()
  expect(status).toBe('degraded')
  expect(troubles!.map(({ id, count }) => ({ id, count }))).toEqual(
    expect.arrayContaining([
      { id: 'exception', count: 2 },
      { id: 'rejection', count: 1 },
    ]),
  )
  expect(JSON.stringify(troubles)).not.toContain('canary')
  expect(Object.keys(await health(server.as({})))).not.toContain('troubles')
  expect((await health(server.as({}))).status).toBe('degraded')
})

// history.db leaves 32 MB to pulse.db
const disk = aSmallDisk(40)
if (!disk) console.log('skipped: no small disk without root and mount')
describe.skipIf(!disk || isOnPostgres)('[R9] [R10] a full disk', () => {
  let onDisk: TestServer
  beforeAll(async () => {
    onDisk = await startTestServer(undefined, undefined, path.join(disk!.dir, 'data'))
  })
  afterAll(async () => {
    await onDisk.stop()
    disk!.end()
  })
  const healthThere = async () => Health.parse((await onDisk.call('GET', '/api/health')).body)
  const put = (name: string) =>
    onDisk.call('PUT', '/api/guests/metadata/full-1', {
      customUrl: `https://${name.padEnd(2000, 'x')}.example`,
    })

  test('refuses what cannot be kept, goes on showing what it knows, and is well again by itself', async () => {
    expect((await put('before')).status).toBe(200)
    disk!.fill()
    let refused = await put('full')
    // the free rest of the last page must be used up first
    for (let n = 0; refused.status === 200 && n < 200; n++) refused = await put(`full-${n}`)
    expect(refused).toMatchObject({
      status: 507,
      body: {
        code: 'storage_unavailable',
        error: expect.stringContaining('disk of the data folder is full'),
      },
    })
    expect(await healthThere()).toMatchObject({
      status: 'degraded',
      troubles: [expect.objectContaining({ id: 'storage', current: true })],
    })
    expect((await onDisk.call('GET', '/api/state')).status).toBe(200)
    fs.rmSync(path.join(disk!.dir, 'filler'))
    await expect.poll(async () => (await put('after')).status).toBe(200)
    await expect.poll(async () => (await healthThere()).status, { timeout: within(30_000) }).toBe('healthy')
    expect((await onDisk.call('GET', '/api/guests/metadata/full-1')).text).toContain('after')
  })
})
