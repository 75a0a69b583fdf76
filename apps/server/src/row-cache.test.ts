import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { within } from '../../../scripts/test-limits.ts'
import type { Foundation } from './foundation.ts'
import type { Table } from './row-cache.ts'
import { product } from './server.ts'
import { isForOneProcess } from './testing/database-of-tests.ts'
import { connectLive } from './testing/live-client.ts'
import { addToken, addUser, signIn } from './testing/people.ts'
import { quickHashing } from './testing/quick-hashing.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

let server: TestServer
let base: Foundation
beforeAll(async () => {
  server = await startTestServer(undefined, undefined, undefined, quickHashing, (made) => {
    base = made
    return product(made)
  })
})
afterAll(() => server.stop())

/** Another process has written to the tables and signals it. */
async function written(
  tables: readonly Table[],
  write: (query: Foundation['db']['query']) => Promise<unknown>,
) {
  await write(base.db.query)
  base.rowsChanged(tables)
}
const until = (met: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await met()).toBe(true), { timeout: within(10_000), interval: 5 })
const statusFor = async (headers: Record<string, string>, where: string) =>
  (await server.as(headers)('GET', where)).status

test('[issue L 4.4] a session that another process ends is refused, and its socket closes; others stay', async () => {
  await addUser(server, 'anna', 'admin')
  const [first, second] = [await signIn(server, 'anna'), await signIn(server, 'anna')]
  const live = await connectLive(server.url, { headers: { ...first, origin: server.url } })
  const rows = await base.db.query.selectFrom('sessions').selectAll().orderBy('created_at').execute()
  await written(['sessions'], (query) =>
    query.deleteFrom('sessions').where('token_hash', '=', rows[0]!.token_hash).execute(),
  )
  await until(async () => (await statusFor(first, '/api/system/settings')) === 401)
  await live.closed
  expect(await statusFor(second, '/api/system/settings')).toBe(200)
})

test('[issue L 4.4] a session that another process begins is known', async () => {
  await addUser(server, 'bert', 'viewer')
  const own = await signIn(server, 'bert')
  const [row] = await base.db.query
    .selectFrom('sessions')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute()
  const state = () => statusFor(own, '/api/state')
  await written(['sessions'], (query) =>
    query.deleteFrom('sessions').where('token_hash', '=', row!.token_hash).execute(),
  )
  await until(async () => (await state()) === 401)
  await written(['sessions'], (query) => query.insertInto('sessions').values(row!).execute())
  await until(async () => (await state()) === 200)
})

test('[issue L 4.4] a role that another process takes away ends at once, and its socket closes', async () => {
  const id = await addUser(server, 'carla', 'admin')
  const carla = await signIn(server, 'carla')
  const live = await connectLive(server.url, { headers: { ...carla, origin: server.url } })
  expect(await statusFor(carla, '/api/security/users')).toBe(200)
  await written(['users'], (query) =>
    query.updateTable('users').set({ role: 'viewer' }).where('id', '=', id).execute(),
  )
  await until(async () => (await statusFor(carla, '/api/security/users')) === 403)
  await live.closed
})

test('[issue L 4.4] an API token that another process revokes is refused', async () => {
  const { id, headers } = await addToken(server.call, { scopes: ['settings:read'] })
  expect(await statusFor(headers, '/api/system/settings')).toBe(200)
  await written(['api_tokens'], (query) => query.deleteFrom('api_tokens').where('id', '=', id).execute())
  await until(async () => (await statusFor(headers, '/api/system/settings')) === 401)
})

test.skipIf(isForOneProcess('several processes look for changed settings by themselves'))(
  '[issue L 4.4] settings that another process saves are in force; without the signal the old ones are',
  async () => {
    const theme = async () =>
      ((await server.call('GET', '/api/system/settings')).body as { theme: string }).theme
    await server.call('POST', '/api/system/settings/update', { theme: 'dark' })
    const stored = await base.store.read('system')
    await base.store.write('system', stored!.replace('"dark"', '"light"'))
    expect(await theme()).toBe('dark')
    base.rowsChanged(['users'])
    expect(await theme()).toBe('dark')
    base.rowsChanged(['settings'])
    await until(async () => (await theme()) === 'light')
  },
)

test('[issue L 4.4] a connection that another process removes is watched no longer', async () => {
  const { body } = await server.call('POST', '/api/config/nodes', {
    type: 'pmg',
    name: 'mail',
    host: 'https://127.0.0.1:9',
    user: 'root@pam',
    password: 'secret',
  })
  const { id } = body as { id: string }
  const names = async () =>
    ((await server.call('GET', '/api/config/nodes')).body as { name: string }[]).map(({ name }) => name)
  expect(await names()).toEqual(['mail'])
  await written(['connections'], (query) => query.deleteFrom('connections').where('id', '=', id).execute())
  await until(async () => (await names()).length === 0)
})
