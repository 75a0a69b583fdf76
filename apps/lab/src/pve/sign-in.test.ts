import { expect, test } from 'vitest'
import { tokenHeader } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'

const anonymous = {}

interface SignedIn {
  ticket: string
  CSRFPreventionToken: string
  username: string
  clustername?: string
  cap?: Record<string, Record<string, number>>
  NeedTFA?: number
}

const cookie = ({ ticket }: SignedIn) => ({ cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}` })

test('a wrong token is refused after the delay, without a body, and the connection ends', async () => {
  const { lab, ask } = await aLab({ authDelayMs: 120, version: '8' })
  const began = performance.now()
  const answer = await ask('/version', { headers: tokenHeader({ ...lab.credentials, tokenSecret: 'wrong' }) })
  expect(performance.now() - began).toBeGreaterThan(115)
  expect(answer).toMatchObject({ status: 401, text: 'invalid token value!', body: '' })
  expect(answer.headers.connection).toBe('close')
})

test.each([
  { when: 'nothing is sent', header: {}, text: 'No ticket' },
  {
    when: 'the user is unknown',
    header: { authorization: 'PVEAPIToken=a@pve!b=c' },
    text: "no such user ('a@pve')",
  },
  {
    when: 'the token is unknown',
    header: { authorization: 'PVEAPIToken=root@pam!b=c' },
    text: "no such token 'b' for user 'root@pam'",
  },
  {
    when: 'the token has no name',
    header: { authorization: 'PVEAPIToken=root@pam=c' },
    text: 'no tokenid specified',
  },
  {
    when: 'the ticket is made up',
    header: { cookie: 'PVEAuthCookie=PVE:root@pam:6AA8A171::x' },
    text: 'permission denied - invalid PVE ticket',
  },
])('401 when $when', async ({ header, text }) => {
  const { ask } = await aLab({ version: '7', nodes: 1, guests: 0 })
  expect(await ask('/version', { headers: header })).toMatchObject({ status: 401, text })
})

test('PVE 9 does not say what is wrong with a token, and treats an expired one as invalid', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  const answer = await ask('/version', { headers: tokenHeader(lab.credentials.expired) })
  expect(answer).toMatchObject({ status: 401, text: 'Authentication failed!' })
})

test('a token may follow its scheme after a blank', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  const { tokenId, tokenSecret } = lab.credentials
  const headers = { authorization: `PVEAPIToken ${tokenId}=${tokenSecret}` }
  expect((await ask('/version', { headers })).status).toBe(200)
})

test.each(['form', 'json'] as const)(
  'a password gives a ticket that all members accept (%s)',
  async (kind) => {
    const { lab, ask } = await aLab({ guests: 0 })
    const { user: username, password } = lab.credentials
    const answer = await ask('/access/ticket', { headers: anonymous, [kind]: { username, password } })
    const signedIn = answer.data as SignedIn
    expect(signedIn).toMatchObject({
      username: 'root@pam',
      clustername: 'prod',
      cap: { vms: { 'VM.Audit': 1 } },
    })
    expect(signedIn.ticket).toMatch(/^PVE:root@pam:[0-9A-F]{8}::.{200,}/)
    expect((await ask('/nodes', { headers: cookie(signedIn), node: 'pve3' })).status).toBe(200)
    const raw = { cookie: `other=1; PVEAuthCookie=${signedIn.ticket}` }
    expect((await ask('/nodes', { headers: raw })).status).toBe(200)
  },
)

test('the realm may come apart from the name; a host without a cluster has no cluster name', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0, standalone: true })
  const { monitor } = lab.credentials
  const form = { username: monitor.user.split('@')[0]!, realm: 'pve', password: monitor.password }
  const signedIn = (await ask('/access/ticket', { headers: anonymous, form })).data as SignedIn
  expect(signedIn.username).toBe('monitor@pve')
  expect(signedIn.clustername).toBeUndefined()
})

test.each([
  { when: 'the password is wrong', form: { username: 'root@pam', password: 'x' } },
  { when: 'the user is unknown', form: { username: 'who@pam', password: 'x' } },
  { when: 'the user has no password', form: { username: 'pulse-monitor@pam', password: '' } },
])('401 authentication failure when $when', async ({ form }) => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  const answer = await ask('/access/ticket', { headers: anonymous, form })
  expect(answer).toMatchObject({ status: 401, text: 'authentication failure' })
})

test('a login without its parameters, or with unknown ones, is 400', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  const answer = await ask('/access/ticket', {
    headers: anonymous,
    form: { username: 'root@pam', remember: '1' },
  })
  expect(answer.status).toBe(400)
  expect(Object.keys((JSON.parse(answer.body) as { errors: object }).errors)).toEqual([
    'remember',
    'password',
  ])
})

test('a ticket lasts two hours and renews itself as its own password', async () => {
  let nowMs = Date.parse('2026-07-01T12:00:00Z')
  const { lab, ask } = await aLab({ nodes: 1, guests: 0, now: () => nowMs })
  const { user: username, password } = lab.credentials
  const signIn = async (secret: string) =>
    (await ask('/access/ticket', { headers: anonymous, form: { username, password: secret } }))
      .data as SignedIn
  const first = await signIn(password)
  nowMs += 3_600_000
  const second = await signIn(first.ticket)
  nowMs += 3_601_000
  expect((await ask('/version', { headers: cookie(first) })).status).toBe(401)
  expect((await ask('/version', { headers: cookie(second) })).status).toBe(200)
})

test('a user with a second factor gets a challenge instead of a ticket', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  const { user: username, password } = lab.credentials.secondFactor
  const answer = await ask('/access/ticket', { headers: anonymous, form: { username, password } })
  const challenge = answer.data as SignedIn
  expect(challenge).toMatchObject({ NeedTFA: 1, username })
  expect((await ask('/version', { headers: cookie(challenge) })).status).toBe(401)
})

test('a ticket needs its CSRF token for more than reading; tokens do not', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  const { user: username, password } = lab.credentials
  const signedIn = (await ask('/access/ticket', { headers: anonymous, form: { username, password } }))
    .data as SignedIn
  const without = await ask('/nodes', { headers: cookie(signedIn), form: {} })
  expect(without).toMatchObject({ status: 401, text: 'Permission denied - invalid csrf token' })
  const headers = { ...cookie(signedIn), csrfpreventiontoken: signedIn.CSRFPreventionToken }
  expect(await ask('/nodes', { headers, form: {} })).toMatchObject({ status: 501 })
  expect(await ask('/nodes', { form: {} })).toMatchObject({ status: 501 })
})

test('domains and the page title need no sign-in', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  const domains = await ask('/access/domains', { headers: anonymous })
  expect((domains.data as { realm: string }[]).map(({ realm }) => realm)).toContain('pve')
  const page = await ask('/', { headers: anonymous, base: '' })
  expect(page.body).toContain('<title>pve1 - Proxmox Virtual Environment</title>')
})
