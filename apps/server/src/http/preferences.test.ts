import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { addUser, signIn } from '../testing/people.ts'
import { type Call, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let viewer: Record<string, string>
const sockets: LiveClient[] = []
beforeEach(async () => {
  server = await startTestServer()
  await addUser(server, 'victor', 'viewer')
  viewer = await signIn(server, 'victor')
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  await server.stop()
})

const choose = (call: Call, theme: string) => call('PUT', '/api/preferences', { theme })
const themeOf = async (call: Call) =>
  ((await call('GET', '/api/config/system')).body as { theme: string }).theme
async function themesAt(headers: Record<string, string>) {
  const socket = await connectLive(server.url, { headers: { ...headers, origin: server.url } })
  sockets.push(socket)
  return () => socket.texts.filter(({ type }) => type === 'settingsUpdate').map(({ data }) => data)
}

describe('[spec 1 §4] the theme that a viewer chooses', () => {
  test('is saved for that account only', async () => {
    await addUser(server, 'vera', 'viewer')
    const other = await signIn(server, 'vera')
    expect(await choose(server.as(viewer), 'dark')).toMatchObject({ status: 200, body: { success: true } })
    expect(await themeOf(server.as(viewer))).toBe('dark')
    expect(await themeOf(server.as(await signIn(server, 'victor')))).toBe('dark')
    expect([await themeOf(server.as(other)), await themeOf(server.call)]).toEqual(['', ''])
  })

  test('outlives a restart', async () => {
    await choose(server.as(viewer), 'dark')
    await server.restart()
    expect(await themeOf(server.as(await signIn(server, 'victor')))).toBe('dark')
  })

  test('reaches the other browsers of the account, and no other account', async () => {
    await addUser(server, 'vera', 'viewer')
    const own = await themesAt(await signIn(server, 'victor'))
    const other = await themesAt(await signIn(server, 'vera'))
    await choose(server.as(viewer), 'dark')
    await expect.poll(own).toEqual([{ theme: 'dark' }])
    await server.call('POST', '/api/system/settings/update', { theme: 'light' })
    await expect.poll(other).toEqual([{ theme: 'light' }])
    expect(own()).toEqual([{ theme: 'dark' }])
  })

  test('is replaced by that of the server when it is removed', async () => {
    await server.call('POST', '/api/system/settings/update', { theme: 'light' })
    await choose(server.as(viewer), 'dark')
    await choose(server.as(viewer), '')
    expect(await themeOf(server.as(viewer))).toBe('light')
  })

  test('is a matter of people: not of tokens, strangers, or other sites', async () => {
    expect((await choose(server.call, 'dark')).status).toBe(403)
    expect((await choose(server.as({}), 'dark')).status).toBe(401)
    const { cookie } = viewer as { cookie: string }
    expect((await choose(server.as({ cookie }), 'dark')).status).toBe(403)
    expect((await choose(server.as(viewer), 'pink')).status).toBe(400)
  })
})
