import { connectionKey } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { nodesOfLab } from './fixtures-nodes.ts'

const given = nodesOfLab()
const { call, nodes, until, health, pbsInput, pmgInput, added, refused } = given

test('a site is stored, shown, changed and removed', async () => {
  const id = await added(pbsInput({ site: ' Berlin ' }))
  const siteOf = async () => (await nodes()).find((node) => node.id === id)!.site
  expect(await siteOf()).toBe('Berlin')
  await call('PUT', `/${id}`, { name: 'renamed' })
  expect(await siteOf()).toBe('Berlin')
  await call('PUT', `/${id}`, { site: 'Rome' })
  expect(await siteOf()).toBe('Rome')
  await call('PUT', `/${id}`, { site: '' })
  expect(await siteOf()).toBeUndefined()
  await refused('PUT', `/${id}`, { site: 'a\nb' })
  await refused('PUT', `/${id}`, { site: 'x'.repeat(101) })
})

const both = [
  ['pbs', pbsInput, 'pbs-vault'],
  ['pmg', pmgInput, 'pmg-mail'],
] as const

describe('200', () => {
  test.each(both)(
    '[platform 10.1] %s: added, watched, changed, still there after a restart, removed',
    async (type, input, key) => {
      const id = await added(input())
      expect(id).toMatch(new RegExp(`^${type}-[0-9a-f]{12}$`))
      await until(async () =>
        expect((await nodes())[0]).toMatchObject({ type, status: 'connected', isCluster: false }),
      )
      await until(async () => expect(await health()).toEqual({ [key]: true }))
      const [shown] = await nodes()
      expect(shown).toMatchObject({
        displayName: input().name,
        hasToken: type === 'pbs',
        hasPassword: type === 'pmg',
        fingerprint: input().fingerprint,
      })
      expect(shown).not.toHaveProperty('error')

      const flag = type === 'pbs' ? 'monitorSyncJobs' : 'monitorQueues'
      expect((await call('PUT', `/${id}`, { type, name: 'other', [flag]: false })).status).toBe(200)
      await until(async () => expect(await health()).toEqual({ [`${type}-other`]: true }))
      expect((await nodes())[0]).toMatchObject({ id, name: 'other', [flag]: false })

      await given.server.restart()
      await until(async () => expect((await nodes())[0]).toMatchObject({ id, status: 'connected' }))
      expect((await call('DELETE', `/${id}`)).status).toBe(200)
      await until(async () => expect(await health()).toEqual({}))
    },
  )

  test.skipIf(isForOneProcess('each process lists the calls that it makes itself')).each(both)(
    '[platform 10.1] %s: its calls are counted',
    async (_type, input) => {
      const id = await added(input())
      await until(async () =>
        expect((await given.server.call('GET', '/api/performance')).body).toMatchObject({
          connections: { [id]: { name: input().name, deferredCalls: 0 } },
        }),
      )
    },
  )

  test('[spec 2 §5] the name is optional: it comes from the host', async () => {
    await added(pbsInput({ name: '' }))
    expect((await nodes())[0]!.name).toBe(given.lab.pbs[0]!.address)
  })

  test('a machine that is PVE and PBS in one is named by its address twice', async () => {
    await added(pmgInput({ name: '', host: 'https://127.255.255.254:8006' }))
    await added(pbsInput({ name: '', host: 'https://127.255.255.254:8007' }))
    expect((await nodes()).map(({ name }) => name)).toEqual(['127.255.255.254', '127.255.255.254 PBS'])
  })

  test.each(both)('[spec 2 §4] %s: the typed form and the stored node are tested', async (_type, input) => {
    const typed = await call('POST', '/test-connection', input())
    expect(typed).toMatchObject({
      status: 200,
      body: { status: 'success', message: 'Connection successful', fingerprint: input().fingerprint },
    })
    const id = await added(input())
    expect(await call('POST', `/${id}/test`)).toMatchObject({
      status: 200,
      body: { status: 'success', latency: expect.any(Number) as number },
    })
  })
})

describe('400', () => {
  test.each(both)('%s: a failed test says why, and shows the certificate to trust', async (_type, input) => {
    const { fingerprint } = input()
    const wrongPin = await refused('POST', '/test-connection', input({ fingerprint: 'AB'.repeat(32) }))
    expect(wrongPin).toMatchObject({ code: 'connection_test_failed', details: { fingerprint } })
    expect(wrongPin).toMatchObject({
      status: 'error',
      message: wrongPin.error,
      latency: expect.any(Number) as number,
    })
    const { fingerprint: _, ...unpinned } = input()
    const unknown = await refused('POST', '/test-connection', unpinned)
    expect(unknown).toMatchObject({
      details: { fingerprint },
      error: expect.stringMatching(/self-signed/) as string,
    })
    expect(given.lab.requests().total).toBe(0)
  })

  test('another product is named', async () => {
    const { url: host, fingerprint } = given.lab.pmg[0]!
    const { error } = await refused('POST', '/test-connection', pbsInput({ host, fingerprint }))
    expect(error).toContain('is a Proxmox Mail Gateway, not a Proxmox Backup Server; add it as PMG')
  })

  test('[design] PMG with a token is stored, fails its test and says so on its card', async () => {
    const {
      user: _,
      password: __,
      ...rest
    } = pmgInput({ tokenName: 'mon@pmg!pulse', tokenValue: 'anything' })
    const message = 'Proxmox Mail Gateway has no API tokens. Use a user name and password.'
    expect((await refused('POST', '/test-connection', rest)).error).toBe(message)
    const id = await added(rest)
    await until(async () => expect((await nodes())[0]).toMatchObject({ status: 'error', error: message }))
    expect(await refused('POST', `/${id}/test`)).toMatchObject({
      error: message,
      status: 'error',
      message,
      latency: expect.any(Number) as number,
    })
  })

  test.each([
    [pbsInput, { tokenValue: '' }, 'Token ID and token value are required'],
    [pbsInput, { tokenName: '', tokenValue: '', user: 'root@pam' }, 'Username and password are required'],
    [pbsInput, { tokenName: 'pulse' }, 'user@realm!tokenname'],
    [pbsInput, { tokenValue: 'two\nlines' }, 'contains invalid characters'],
    [pbsInput, { host: '' }, 'Host is required'],
    [pmgInput, { host: "mail';id" }, 'is not a host name'],
    [pmgInput, { password: '' }, 'Username and password are required'],
    [pmgInput, { fingerprint: 'AA' }, '64 hexadecimal digits'],
  ] as const)('[spec 2 §5] %o %j: %s', async (input, change, says) => {
    expect((await refused('POST', '', input(change))).error).toContain(says)
    expect((await refused('POST', '/test-connection', input(change))).error).toContain(says)
    expect(await nodes()).toEqual([])
  })
})

describe('[platform 10.1] what a change leaves out stays as it is', () => {
  test('each field alone, without the type', async () => {
    const id = await added(pbsInput({ monitorSyncJobs: false }))
    const [before] = await nodes()
    for (const change of [{ name: 'other' }, { monitorVerifyJobs: false }, {}, { name: '' }]) {
      expect((await call('PUT', `/${id}`, change)).status).toBe(200)
    }
    const { status: _, ...kept } = {
      ...before!,
      name: 'other',
      displayName: 'other',
      monitorVerifyJobs: false,
    }
    expect((await nodes())[0]).toMatchObject(kept)
    await until(async () => expect((await nodes())[0]!.status).toBe('connected'))
    expect((await refused('PUT', `/${id}`, { type: 'pmg' })).error).toContain(
      'type of a node cannot be changed',
    )
    expect((await call('POST', '/test-connection', { id, name: 'x' })).status).toBe(200)
    expect((await refused('POST', '/test-connection', { host: 'x' })).details).toHaveProperty('type')
  })
})

test('409: names and addresses are there once', async () => {
  await added(pbsInput({ name: 'box' }))
  const host = given.lab.pbs[1]!.url
  for (const input of [
    pbsInput({ name: 'BOX', host }),
    pmgInput({ name: 'box' }),
    pmgInput({ type: 'pve', name: 'pbs-box', user: 'root@pam' }),
  ]) {
    expect((await refused('POST', '', input, 409)).code).toBe('duplicate_name')
  }
  expect((await refused('POST', '', pbsInput({ name: 'another' }), 409)).code).toBe('duplicate_cluster')
})

test('404: the form of a node that is gone', async () => {
  expect((await refused('POST', '/test-connection', { ...pbsInput(), id: 'pbs-gone' }, 404)).error).toBe(
    'Node not found',
  )
})

test.each(['pve', 'pbs'] as const)(
  'names that mean something to programs are names like any other: %s',
  async (type) => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '<img src=x onerror=alert(1)>',
      "'; DROP TABLE connections; --",
      '$(reboot)',
      '../../etc/passwd',
      '%s%n',
      'a\u0000b\u202ec',
      '🏢'.repeat(60),
    ]
    for (const [n, name] of names.entries()) {
      await added(pbsInput({ type, name, host: `https://127.255.255.${n + 1}` }))
    }
    const expected = names.map((name) => (name.startsWith('a\u0000') ? 'abc' : name))
    const shown = async () => (await nodes()).map(({ name }) => name)
    expect(await shown()).toEqual(expected)
    const keys = expected.map((name) => connectionKey(type, name))
    await until(async () => {
      const { text } = await given.server.call('GET', '/api/state')
      for (const key of keys) expect(text).toContain(`${JSON.stringify(key)}:false`)
    })
    await given.server.restart()
    expect(await shown()).toEqual(expected)
  },
)
