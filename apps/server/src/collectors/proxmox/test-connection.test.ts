import type { SourceKind } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import type { Lab, LabOptions } from '@pulse/lab'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { anInternalService, givenHosts, password, token } from './fixtures.ts'

const latency = expect.any(Number) as number
const pin = (text: string) => expect.stringMatching(text) as string

test.concurrent.for([
  ['pbs', { pbsVersion: '2' }, { version: '2.4.7', release: '7', datastoreCount: 2 }],
  ['pbs', { pbsVersion: '3' }, { version: '3.4.4', release: '4', datastoreCount: 2 }],
  ['pbs', { pbsVersion: '4' }, { version: '4.0.14', release: '14', datastoreCount: 2 }],
  ['pmg', { pmgVersion: '7' }, { version: '7.3-11', release: '7.3' }],
  ['pmg', { pmgVersion: '8' }, { version: '8.2.9', release: '8.2' }],
  ['pmg', { pmgVersion: '9' }, { version: '9.0.6', release: '9.0' }],
] satisfies [SourceKind, LabOptions, object][])(
  '[platform 10.1] %s %j: what it is, its own name, and the certificate it shows',
  async ([kind, options, expected], context) => {
    const { lab, test: testConnection } = await givenHosts(context, options)
    expect(await testConnection(kind)).toEqual({
      status: 'success',
      message: 'Connection successful',
      name: lab[kind as 'pbs' | 'pmg'][0]!.name,
      isCluster: false,
      nodeCount: 1,
      ...expected,
      latency,
      fingerprint: lab[kind as 'pbs' | 'pmg'][0]!.fingerprint,
    })
  },
)

interface Case {
  when: string
  kind: SourceKind
  change: (lab: Lab) => Partial<Connection>
  message: string | RegExp
}

const wrongToken = 'Authentication failed: check token ID and secret'
const wrongPassword = 'Authentication failed: check user name, realm and password'
const login = ({ user, password: text }: { user: string; password: string }) => ({
  auth: password(user, text),
})
const node = (lab: Lab) => lab.clusters[0]!.nodes[0]!
const pinned = ({ url: host, fingerprint }: { url: string; fingerprint: string }) => ({ host, fingerprint })

const failures: Case[] = [
  {
    when: 'a wrong secret',
    kind: 'pbs',
    change: (lab) => ({ auth: token(lab.pbs[0]!.credentials.tokenId, 'wrong') }),
    message: wrongToken,
  },
  {
    when: 'an expired token',
    kind: 'pbs',
    change: (lab) => {
      const { tokenId, tokenSecret } = lab.pbs[0]!.credentials.expired
      return { auth: token(tokenId, tokenSecret) }
    },
    message: wrongToken,
  },
  {
    when: 'a token of another realm',
    kind: 'pbs',
    change: (lab) => ({ auth: token('pulse-monitor@pam!pulse-token', lab.pbs[0]!.credentials.tokenSecret) }),
    message: wrongToken,
  },
  {
    when: 'a wrong password',
    kind: 'pbs',
    change: (lab) => login({ ...lab.pbs[0]!.credentials.monitor, password: 'wrong' }),
    message: wrongPassword,
  },
  {
    when: 'another realm',
    kind: 'pbs',
    change: (lab) => login({ ...lab.pbs[0]!.credentials.monitor, user: 'monitor@pam' }),
    message: wrongPassword,
  },
  {
    when: 'a second factor',
    kind: 'pbs',
    change: (lab) => login(lab.pbs[0]!.credentials.secondFactor),
    message: /two-factor authentication is enabled for totp@pbs; use an API token instead$/,
  },
  {
    when: 'a wrong password',
    kind: 'pmg',
    change: (lab) => login({ ...lab.pmg[0]!.credentials.auditor, password: 'wrong' }),
    message: wrongPassword,
  },
  {
    when: 'another realm',
    kind: 'pmg',
    change: (lab) => login({ ...lab.pmg[0]!.credentials.auditor, user: 'pulse-monitor@pam' }),
    message: wrongPassword,
  },
  {
    when: 'a second factor',
    kind: 'pmg',
    change: (lab) => login(lab.pmg[0]!.credentials.secondFactor),
    message: /two-factor authentication is enabled for totp@pmg; use another account instead$/,
  },
  {
    when: 'a token',
    kind: 'pmg',
    change: () => ({ auth: token('pulse-monitor@pmg!pulse-token', 'anything') }),
    message: 'Proxmox Mail Gateway has no API tokens. Use a user name and password.',
  },
  ...(['pbs', 'pmg'] as const).flatMap((kind): Case[] => [
    {
      when: 'no host at that address',
      kind,
      change: () => ({ host: 'https://127.255.255.254:8007' }),
      message: '127.255.255.254:8007: connection refused; check address and port',
    },
    {
      when: 'a closed port',
      kind,
      change: (lab) => ({ host: `https://${lab[kind][0]!.address}:8008` }),
      message: /:8008: connection refused; check address and port$/,
    },
    {
      when: 'an untrusted certificate',
      kind,
      change: () => ({ fingerprint: '' }),
      message: /the certificate is self-signed; enter its fingerprint to trust it$/,
    },
  ]),
]

test.concurrent.for(failures)('[spec 2 §4] $kind with $when', async ({ kind, change, message }, context) => {
  const { lab, test: testConnection } = await givenHosts(context)
  const result = await testConnection(kind, change(lab))
  expect(result.status).toBe('error')
  if (typeof message === 'string') expect(result.message).toBe(message)
  else expect(result.message).toMatch(message)
})

const products = {
  pve: 'Proxmox Virtual Environment',
  pbs: 'Proxmox Backup Server',
  pmg: 'Proxmox Mail Gateway',
}
const kinds = ['pve', 'pbs', 'pmg'] as const
const confusions = kinds.flatMap((wanted) =>
  kinds.filter((found) => found !== wanted).map((found) => ({ wanted, found })),
)

test.concurrent.for(confusions)(
  '[facts 5.3] $found given as $wanted is called by its name, and sees no credentials',
  async ({ wanted, found }, context) => {
    const { lab, test: testConnection } = await givenHosts(context)
    const host = found === 'pve' ? node(lab) : lab[found][0]!
    const result = await testConnection(wanted, pinned(host))
    expect(result).toEqual({
      status: 'error',
      message:
        `${host.address}:${host.port} is a ${products[found]}, not a ${products[wanted]}; ` +
        `add it as ${found.toUpperCase()} or correct address and port`,
      fingerprint: host.fingerprint,
    })
    expect(lab.requests().entries.map(({ template }) => template)).toEqual(['/'])
  },
)

test.concurrent.for(kinds)(
  '[S18] %s: another certificate is refused before anything is said, and shown to compare',
  async (kind, context) => {
    const { lab, test: testConnection } = await givenHosts(context)
    const { fingerprint } = kind === 'pve' ? node(lab) : lab[kind][0]!
    expect(await testConnection(kind, { fingerprint: 'ab'.repeat(32) })).toEqual({
      status: 'error',
      message: pin('certificate fingerprint does not match: expected AB:AB'),
      untrusted: true,
      fingerprint,
    })
    expect(lab.requests().total).toBe(0)
    const unverified = await testConnection(kind, { fingerprint: '' })
    expect(unverified).toMatchObject({ status: 'error', fingerprint })
    expect(lab.requests().total).toBe(0)
    expect(await testConnection(kind, { fingerprint: '', verifySSL: false })).toMatchObject({
      status: 'success',
      fingerprint,
    })
  },
)

test.concurrent(
  '[proxmox-api 0] what an account may not see is said, as the lists do not say it',
  async (context) => {
    const { lab, test: testConnection } = await givenHosts(context)
    const { tokenId, tokenSecret } = lab.pbs[0]!.credentials.powerless
    const powerless = await testConnection('pbs', { auth: token(tokenId, tokenSecret) })
    expect(powerless).toMatchObject({
      status: 'success',
      message: 'Connection successful, but some rights are missing',
      datastoreCount: 0,
    })
    expect(powerless.warnings!.join('\n')).toMatch(/datastores and backups will not appear\n.*stay unknown/)
    const helpdesk = await testConnection('pmg', login(lab.pmg[0]!.credentials.helpdesk))
    expect(helpdesk.warnings).toEqual([
      'the account lacks the role Auditor: queues, nodes and statistics stay unknown',
    ])
  },
)

const unnamed = /is not recognized as Proxmox/

test.concurrent.for(['pbs', 'pmg'] as const)(
  '[R19] %s that misbehaves ends the test in time',
  async (kind, context) => {
    const { lab, clock, test: testConnection } = await givenHosts(context)
    const meets = async (fault: Parameters<Lab['control']['addFault']>[0]) => {
      lab.control.clearFaults()
      lab.control.addFault(fault)
      const startedAt = clock.now()
      const { status, message } = await testConnection(kind)
      expect(status).toBe('error')
      expect(clock.now() - startedAt).toBeLessThan(25_000)
      return message
    }
    expect(await meets({ kind: 'html' })).toMatch(unnamed)
    expect(await meets({ kind: 'html', path: '/version' })).toMatch(/a web page came back/)
    expect(await meets({ kind: 'hang' })).toMatch(/no answer to \/ within 8 s/)
    expect(await meets({ kind: 'hang', path: '/version' })).toMatch(/no answer to .*version/)
    expect(await meets({ kind: 'huge' })).toMatch(unnamed)
    expect(await meets({ kind: 'huge', path: '/version' })).toMatch(/larger than/)
    expect(await meets({ kind: 'broken-json', path: '/version' })).toMatch(/not valid JSON/)
    expect(await meets({ kind: 'reset' })).toMatch(/closed the connection/)
    expect(await meets({ kind: 'status', status: 503 })).toMatch(unnamed)
    expect(await meets({ kind: 'status', status: 503, path: '/version' })).toMatch(
      /is overloaded or starting/,
    )
  },
)

test.for(kinds)('[S11] a test of %s tells nothing of what another service says', async (kind, context) => {
  const { test: testConnection } = await givenHosts(context)
  const secret = 'canary-of-the-house'
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data":"${secret}"}`),
    (response) => response.writeHead(401, secret).end(secret),
    (response) => response.writeHead(403).end(`{"message":"${secret}"}`),
    (response) => response.writeHead(404).end(secret),
    (response) => response.writeHead(500, `hostname lookup '${secret}' failed`).end(),
    (response) => response.writeHead(501, secret).end(),
    (response) => response.writeHead(302, { location: `https://127.0.0.1/${secret}` }).end(),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${secret}</html>`),
    (response) => response.writeHead(200).end('x'.repeat(9 * 1024 * 1024)),
  ]
  let current = answers[0]!
  const { host, fingerprint } = await anInternalService(context, (_request, response) => current(response))
  const auth = kind === 'pmg' ? password('u@pmg', 'p') : token(`u@${kind === 'pve' ? 'pam' : 'pbs'}!t`, 'p')
  const results = []
  for (const answer of answers) {
    current = answer
    results.push(await testConnection(kind, { host, fingerprint, auth }))
  }
  expect(JSON.stringify(results)).not.toContain(secret)
  const { message } = results[0]!
  expect(message).toMatch(unnamed)
  // one text for all of them, so that they cannot be distinguished
  expect(new Set(results.map((result) => JSON.stringify(result)))).toHaveProperty('size', 1)
})
