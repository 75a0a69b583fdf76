import type { NodeConfig, User } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import bcrypt from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filesOf } from '../auth/fixtures.ts'
import { createPasswords } from '../auth/password.ts'
import { readBootstrapToken } from '../start/recover.ts'
import { login, signIn } from '../testing/people.ts'
import { runMain } from '../testing/run-main.ts'
import { quickDerive } from '../testing/quick-hashing.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const secret = 'canary-0123456789'
let folder: string
let server: TestServer
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-declared-'))
})
afterEach(async () => {
  await server.stop()
  fs.rmSync(folder, { recursive: true })
})

const env = () => ({ API_TOKENS: adminToken, PULSE_CONFIG_FILE: path.join(folder, 'pulse.yaml') })
const declare = (text: string) => fs.writeFileSync(path.join(folder, 'pulse.yaml'), text)
const start = async (text: string) => {
  declare(text)
  server = await startTestServer(undefined, env())
}
const restart = (text: string) => {
  declare(text)
  return server.restart(env())
}
const nodes = async () => (await server.call('GET', '/api/config/nodes')).body as NodeConfig[]
const audits = async (event: string) =>
  ((await server.call('GET', `/api/security/audit?event=${event}`)).body as { events: object[] }).events

/** No server listens on port 1. */
const entry = (name: string, rest = '') =>
  `  - { type: pve, name: ${name}, host: '127.0.0.1:1', tokenName: 'a@pam!b', tokenValue: ${secret} ${rest} }\n`

describe('nodes', () => {
  test('are added once: a second start changes nothing', async () => {
    await start(`nodes:\n${entry('main')}`)
    const [first] = await nodes()
    expect(first).toMatchObject({
      name: 'main',
      host: 'https://127.0.0.1:1',
      tokenName: 'a@pam!b',
      hasToken: true,
    })
    await server.restart(env())
    expect((await nodes()).map(({ id }) => id)).toEqual([first!.id])
    expect(await audits('node_added')).toMatchObject([
      { actor: 'pulse.yaml', method: 'console', target: 'main' },
    ])
    expect(await audits('node_changed')).toEqual([])
  })

  test('are changed when the file changes, by name or by address, and keep their identity', async () => {
    await start(`nodes:\n${entry('main')}`)
    const [{ id }] = (await nodes()) as [NodeConfig]
    await restart(`nodes:\n${entry('main', ', monitorStorage: false')}`)
    expect(await nodes()).toMatchObject([{ id, monitorStorage: false }])
    await restart(`nodes:\n${entry('renamed')}`)
    expect(await nodes(), 'what the file leaves out has its default').toMatchObject([
      { id, name: 'renamed', monitorStorage: true },
    ])
    await restart(`nodes:\n${entry('renamed').replace('127.0.0.1:1', '127.0.0.1:2')}`)
    expect(await nodes()).toMatchObject([{ id, host: 'https://127.0.0.1:2' }])
    expect(await audits('node_changed')).toHaveLength(3)
  })

  test('cannot be changed or removed, until the file no longer names them; others can', async () => {
    await start(`nodes:\n${entry('main')}`)
    const other = { type: 'pve', name: 'own', host: '127.0.0.1:3', tokenName: 'a@pam!b', tokenValue: 'x' }
    const added = (await server.call('POST', '/api/config/nodes', other)).body as { id: string }
    const [{ id }] = (await nodes()) as [NodeConfig]
    const change = (id: string) => server.call('PUT', `/api/config/nodes/${id}`, { type: 'pve', name: 'x' })
    const remove = (id: string) => server.call('DELETE', `/api/config/nodes/${id}`)
    for (const answer of [await change(id), await remove(id)]) {
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'locked_by_environment',
          error: 'main is fixed by pulse.yaml. Change it there and restart Pulse.',
        },
      })
    }
    expect((await remove(added.id)).status).toBe(200)
    await restart('nodes: []')
    expect(
      (await nodes()).map((node) => node.id),
      'it stays',
    ).toEqual([id])
    expect((await change(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(200)
  })

  test('that cannot all be: nothing is changed, and the start stops with the place', async () => {
    await start('')
    for (const [name, port] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const node = { type: 'pve', name, host: `127.0.0.1:${port}`, tokenName: 'a@pam!b', tokenValue: 'x' }
      expect((await server.call('POST', '/api/config/nodes', node)).status).toBe(201)
    }
    const before = await nodes()
    fs.writeFileSync(path.join(folder, 'eve.secret'), 'correct horse')
    const users = 'users: [{ name: eve, role: admin, passwordFile: eve.secret }]'
    declare(
      `nodes:\n${entry('new').replace(':1', ':9')}${entry('one').replace('type: pve', 'type: pbs')}${users}`,
    )
    await server.pausedFor(async () => {
      const { code, output } = await runMain(server.dataDir, { env: env() })
      expect(output).toMatch(/pulse\.yaml: nodes\[1\]\.name: A node with another type/)
      expect([code, output.includes(secret)]).toEqual([1, false])
      declare('')
    })
    expect((await nodes()).map(({ id, name, host }) => [id, name, host])).toEqual(
      before.map(({ id, name, host }) => [id, name, host]),
    )
    expect((await server.call('GET', '/api/security/users')).body).toEqual({ users: [] })
  })
})

describe('settings, accounts, links', () => {
  test('settings are in force, shown as fixed, and refused with the name of the file', async () => {
    await start('settings: { theme: dark, discoveryConfig: { max_concurrent: 9 } }')
    const { body } = await server.call('GET', '/api/system/settings')
    expect(body).toMatchObject({ theme: 'dark', discoveryConfig: { max_concurrent: 9 } })
    expect((body as { envOverrides: object }).envOverrides).toEqual({
      theme: true,
      'discoveryConfig.max_concurrent': true,
    })
    const refused = await server.call('POST', '/api/system/settings/update', { theme: 'light' })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'theme is fixed by pulse.yaml. Change it there and restart Pulse.' },
    })
    await restart('')
    expect((await server.call('GET', '/api/config/system')).body).toMatchObject({ theme: '' })
  })

  test('accounts can sign in, keep their sessions over a restart, and are fixed', async () => {
    fs.writeFileSync(path.join(folder, 'bob.secret'), 'correct horse\n')
    const hash = bcrypt.hashSync('battery staple', 4)
    const users = `users:
  - { name: Ann, role: admin, passwordHash: '${hash}' }
  - { name: bob, role: viewer, passwordFile: bob.secret }`
    await start(users)
    expect(() => readBootstrapToken(server.dataDir)).toThrow('no one-time setup token')
    expect((await login(server, 'ann', 'battery staple')).status).toBe(200)
    const list = async () => (await server.call('GET', '/api/security/users')).body as { users: User[] }
    const before = await list()
    expect(before.users).toMatchObject([
      { name: 'Ann', role: 'admin', managed: true },
      { name: 'bob', role: 'viewer', managed: true },
    ])
    const [ann, bob] = before.users as [User, User]
    const where = `/api/security/users/${bob.id}`
    for (const answer of [
      await server.call('PUT', where, { role: 'admin' }),
      await server.call('PUT', where, { password: 'another horse' }),
      await server.call('DELETE', where),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'locked_by_environment' } })
    }
    await server.restart(env())
    expect(await list()).toMatchObject({ users: [{ id: ann.id }, { id: bob.id }] })
    expect((await login(server, 'Ann', 'battery staple')).status).toBe(200)
    await restart(users.replace('role: viewer', 'role: admin').replace(/ {2}- \{ name: Ann.*\n/, ''))
    const after = (await list()).users
    expect(after.map(({ name, role, managed }) => [name, role, managed])).toEqual([
      ['Ann', 'admin', undefined],
      ['bob', 'admin', true],
    ])
    expect((await login(server, 'bob', 'correct horse')).status).toBe(200)
    expect((await server.call('DELETE', `/api/security/users/${ann.id}`)).status).toBe(200)
  })

  test('a session lasts over a restart, and ends when the file changes the account', async () => {
    const file = path.join(folder, 'bob.secret')
    fs.writeFileSync(file, 'correct horse\n')
    const users = 'users:\n  - { name: bob, role: viewer, passwordFile: bob.secret }'
    await start(users)
    const session = await signIn(server, 'bob', 'correct horse')
    const status = async () => (await server.as(session)('GET', '/api/config')).status
    await server.restart(env())
    expect(await status()).toBe(200)
    fs.writeFileSync(file, 'another horse\n')
    await server.restart(env())
    expect(await status()).toBe(401)
    const again = await signIn(server, 'bob', 'another horse')
    await restart(users.replace('viewer', 'admin'))
    expect((await server.as(again)('GET', '/api/config')).status).toBe(401)
  })

  test('an argon2id hash is taken as it is', async () => {
    const hash = await createPasswords(quickDerive).hash('correct horse')
    await start(`users:\n  - { name: bob, role: admin, passwordHash: '${hash}' }`)
    const session = await signIn(server, 'bob', 'correct horse')
    await server.restart(env())
    expect((await server.as(session)('GET', '/api/config')).status).toBe(200)
  })

  test('links are there at once and fixed', async () => {
    await start('guestUrls: { main-node1-101: https://wiki.example }')
    const where = '/api/guests/metadata/main-node1-101'
    expect((await server.call('GET', where)).body).toMatchObject({ customUrl: 'https://wiki.example' })
    for (const answer of [
      await server.call('PUT', where, { customUrl: 'https://other.example' }),
      await server.call('DELETE', where),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'locked_by_environment' } })
    }
    await restart('guestUrls: { main-node1-101: https://new.example }')
    expect((await server.call('GET', where)).body).toMatchObject({ customUrl: 'https://new.example' })
    await restart('')
    expect((await server.call('GET', where)).body).toMatchObject({ customUrl: 'https://new.example' })
    expect((await server.call('DELETE', where)).status).toBe(204)
  })

  test('single sign-on is set up and its form is locked', async () => {
    fs.writeFileSync(path.join(folder, 'oidc.secret'), secret)
    await start(
      'oidc: { enabled: false, issuerUrl: https://id.example.test, clientId: pulse, clientSecretFile: oidc.secret }',
    )
    expect((await server.call('GET', '/api/security/oidc')).body).toMatchObject({
      clientId: 'pulse',
      clientSecretSet: true,
      envOverrides: { clientId: true, clientSecret: true },
    })
    expect(await server.call('PUT', '/api/security/oidc', { clientId: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'oidc_locked', error: expect.stringContaining('pulse.yaml') },
    })
  })

  test('[S16] no secret of the file is logged, answered or stored in the clear', async () => {
    fs.writeFileSync(path.join(folder, 'pw.secret'), secret)
    await start(`nodes:\n${entry('main')}users:\n  - { name: ann, role: admin, passwordFile: pw.secret }`)
    const answers = await Promise.all(
      ['/api/config/nodes', '/api/system/settings', '/api/security/users', '/api/security/audit'].map(
        (where) => server.call('GET', where),
      ),
    )
    for (const { text, status } of answers) expect([status, text.includes(secret)]).toEqual([200, false])
    expect(server.logLines.join('\n')).not.toContain(secret)
    expect(filesOf(server.dataDir)).not.toContain(secret)
  })
})
