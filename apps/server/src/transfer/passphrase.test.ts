import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addUser, signIn, steppedClock } from '../testing/people.ts'
import { asAdmin, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string }).code,
]

describe('[spec 2 §5] the passphrase of an export', () => {
  let server: TestServer
  beforeEach(async () => {
    clock.step(61_000)
    server = await startTestServer(clock)
    await addUser(server, 'anna', 'admin')
  })
  afterEach(() => server.stop())

  const short = 'only eight'
  const own = async (name = 'anna', words = short) => {
    const { body } = await server.call('GET', '/api/security/users')
    const { id } = (body as { users: { id: string; name: string }[] }).users.find(
      (user) => user.name === name,
    )!
    await server.call('PUT', `/api/security/users/${id}`, { password: words })
    return signIn(server, name, words)
  }
  const exportAs = (headers: Record<string, string>, words: string) =>
    server.as(headers)('POST', '/api/config/export', { passphrase: words })

  test('has twelve characters, counted as people count', async () => {
    expect(codeOf(await exportAs(asAdmin, 'elevenchars'))).toEqual([400, 'passphrase_too_short'])
    expect(codeOf(await exportAs(asAdmin, '🔑'.repeat(11)))).toEqual([400, 'passphrase_too_short'])
    expect((await exportAs(asAdmin, '🔑'.repeat(12))).status).toBe(200)
  })

  test('may be shorter when it is the caller’s login password', async () => {
    const session = await own()
    const { status, body } = await exportAs(session, short)
    expect(status).toBe(200)
    const { data } = body as { data: string }
    const answer = await server.as(session)('POST', '/api/config/import', { passphrase: short, data })
    expect(answer.status).toBe(200)
  })

  test('said to be the login password must be it, however long: a slip of the finger makes no file', async () => {
    const session = await own('anna', 'a long enough password')
    const exportBy = (passphrase: string) =>
      server.as(session)('POST', '/api/config/export', { passphrase, isLoginPassword: true })
    expect(codeOf(await exportBy('a long enough pasword'))).toEqual([400, 'invalid_password'])
    expect((await exportBy('a long enough password')).status).toBe(200)
  })

  test('is no other user’s password, and a token has none', async () => {
    await addUser(server, 'ben', 'admin')
    await own('ben', 'ben’s pass')
    const session = await own()
    expect(codeOf(await exportAs(session, 'ben’s pass'))).toEqual([400, 'passphrase_too_short'])
    expect(codeOf(await exportAs(asAdmin, short))).toEqual([400, 'passphrase_too_short'])
  })

  test('cannot be used to guess the password: tries count as tries to sign in', async () => {
    const session = await own()
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(codeOf(await exportAs(session, `guess ${n}`)))
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => [400, 'passphrase_too_short']),
      [403, 'account_locked'],
    ])
    expect(codeOf(await exportAs(session, short))).toEqual([403, 'account_locked'])
    const { text } = await server.call('GET', '/api/security/audit?event=lockout')
    expect(text).toContain('"actor":"anna"')
    // the page is still signed in
    expect((await server.as(session)('GET', '/api/stats')).status).toBe(200)
  })
})
