import { Secret } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { HttpsAnswer, HttpsHost, HttpsRequest } from '../https.ts'
import { products, type Product } from './product.ts'
import { openSession } from './session.ts'

const hour = 3_600_000
const answer = (status: number, text: string, reason = 'OK'): HttpsAnswer => ({
  status,
  reason,
  contentType: 'application/json',
  serverName: 'pve-api-daemon/3.0',
  body: Buffer.from(text),
})

/** A host that signs every user in with ticket 1, 2 and so on, or as configured. */
function given(reply = (count: number) => answer(200, `{"data":{"ticket":"PVE:root@pam:${count}==/+"}}`)) {
  const clock = fakeClock()
  const requests: HttpsRequest[] = []
  let counted = 0
  const aHost = (): HttpsHost => ({
    url: 'https://pve1:8006',
    fingerprint: undefined,
    certifiedName: undefined,
    send: (request) => Promise.resolve(reply(requests.push(request))),
    room: 6,
    close: () => Promise.resolve(),
  })
  const auth = { type: 'password', user: 'root', password: new Secret('geheim&=') } as const
  const session = openSession(auth, products.pve, clock, () => counted++)
  const host = aHost()
  return {
    clock,
    requests,
    session,
    aHost,
    signIn: (product: Product) => openSession(auth, product, clock, () => {}).headers(host, 'host'),
    ask: (at = host) => session.headers(at, 'pve1'),
    counted: () => counted,
  }
}

test.each([
  ['pve', 'PVEAPIToken=mon@pam!pulse=1234'],
  ['pbs', 'PBSAPIToken=mon@pam!pulse:1234'],
] as const)(
  '[facts 1.1, 2.1] a token of %s goes into the header as %s, and costs no call',
  async (kind, expected) => {
    const auth = { type: 'token', tokenId: 'mon@pam!pulse', secret: new Secret('1234') } as const
    const session = openSession(auth, products[kind], fakeClock(), () => expect.fail('a call'))
    expect(await session.headers({} as HttpsHost, 'host')).toEqual({ authorization: expected })
    expect(session.refused({})).toBe(false)
  },
)

test('[proxmox-api 1.2] PMG has no tokens: no call is made', async () => {
  const auth = { type: 'token', tokenId: 'mon@pmg!pulse', secret: new Secret('1234') } as const
  const session = openSession(auth, products.pmg, fakeClock(), () => expect.fail('a call'))
  await expect(session.headers({} as HttpsHost, 'host')).rejects.toMatchObject({
    code: 'unsupported',
    message: 'Proxmox Mail Gateway has no API tokens. Use a user name and password.',
  })
})

test.each([
  ['pbs', 'root@pbs', 'PBSAuthCookie'],
  ['pmg', 'root@pmg', 'PMGAuthCookie'],
] as const)(
  '[facts 2.1, 2.4] a user of %s without a realm is %s, and has the ticket in %s',
  async (kind, user, cookie) => {
    const { requests, signIn } = given()
    const headers = await signIn(products[kind])
    expect(Object.fromEntries(new URLSearchParams(requests[0]!.body))).toMatchObject({ username: user })
    expect(headers).toEqual({ cookie: expect.stringMatching(`^${cookie}=`) as string })
  },
)

test('[facts 1.1] the ticket goes back byte by byte as it came: servers that imitate Proxmox undo no percent signs', async () => {
  const { ask } = given()
  expect(await ask()).toEqual({ cookie: 'PVEAuthCookie=PVE:root@pam:1==/+' })
})

test.each(['PVE:a\\r\\nx-evil: 1', 'PVE:a; PVEAuthCookie=b', 'PVE:a b', 'PVE:ä'])(
  '[S15] %j is no ticket: nothing of it reaches a header',
  async (ticket) => {
    const { ask } = given(() => answer(200, `{"data":{"ticket":"${ticket}"}}`))
    await expect(ask()).rejects.toMatchObject({
      code: 'bad_answer',
      message: 'pve1: the login returned no usable ticket',
    })
  },
)

test('[facts 1.1] a password is exchanged for a ticket; a user without realm is one of pam', async () => {
  const { ask, requests, counted } = given()
  expect(await ask()).toHaveProperty('cookie')
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/api2/json/access/ticket' })
  expect(requests[0]!.body).toBe('username=root%40pam&password=geheim%26%3D')
  expect(counted()).toBe(1)
})

test('[proxmox-api 1.1] a ticket serves all calls for an hour, and is renewed before it ends', async () => {
  const { ask, clock, requests } = given()
  await Promise.all([ask(), ask(), ask()])
  await clock.advance(hour - 1)
  await ask()
  expect(requests).toHaveLength(1)
  await clock.advance(1)
  await ask()
  expect(requests).toHaveLength(2)
})

test('a ticket that was refused is not used again', async () => {
  const { ask, session, requests } = given()
  expect(session.refused(await ask())).toBe(true)
  await ask()
  expect(requests).toHaveLength(2)
})

test('several calls are refused when a ticket ends: all may go again, and one signs in for them', async () => {
  const { ask, session, requests } = given()
  const [first, second] = await Promise.all([ask(), ask()])
  expect([session.refused(first), session.refused(second)]).toEqual([true, true])
  const renewed = await Promise.all([ask(), ask()])
  expect(requests).toHaveLength(2)
  expect(session.refused({ ...renewed[0] })).toBe(false)
})

test('a refused password is not tried again for half a minute, and then ever more seldom', async () => {
  const { ask, clock, requests } = given(() => answer(401, '', 'authentication failure'))
  for (let second = 0; second < 300; second += 5) {
    await expect(ask()).rejects.toMatchObject({ code: 'unauthorized' })
    await clock.advance(5_000)
  }
  expect(requests.length).toBeGreaterThanOrEqual(5)
  expect(requests.length).toBeLessThanOrEqual(9)
})

test('[proxmox-api 1.1] a second factor is named, with the remedy', async () => {
  const { ask } = given(() => answer(200, '{"data":{"ticket":"PVE:!tfa!","NeedTFA":1}}'))
  await expect(ask()).rejects.toThrow(/two-factor authentication is enabled for root@pam; use an API token/)
})

test('a second factor that shows in the ticket alone is one too', async () => {
  const { ask } = given(() => answer(200, '{"data":{"ticket":"PBS:!tfa!%7B%7D:6AA8A171::x"}}'))
  await expect(ask()).rejects.toThrow(/two-factor authentication is enabled/)
})

test('signing in at a dead host does not hold up signing in at another one', async () => {
  const { ask, aHost } = given()
  const dead: HttpsHost = { ...aHost(), send: () => new Promise(() => {}) }
  void ask(dead)
  expect(await ask()).toHaveProperty('cookie')
})

test('[S16] no error shows the password', async () => {
  const { ask } = given(() => answer(401, '', 'authentication failure'))
  const error: unknown = await ask().catch((cause: unknown) => cause)
  expect(inspect(error, { depth: 10 })).not.toContain('geheim')
})
