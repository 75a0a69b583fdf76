import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSelfSigned } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { forbiddenHosts, forbiddenAddresses, resolvesTo } from './fixtures.ts'
import { createOutbound, type OutboundCall } from './guard.ts'
import { OutboundError } from './outbound-error.ts'
import { within } from '../../../../scripts/test-limits.ts'

const never = new AbortController().signal
let server: Server
let port: number
let asked: string[] = []
/** redirect target of `/on` */
let location = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
      const [, kind = '', status = ''] = request.url!.split('/')
      if (kind === 'on')
        response.writeHead(Number(status), { location: Buffer.from(location).toString('latin1') }).end()
      else if (kind === 'long') response.end(' '.repeat(Number(status)))
      else if (kind !== 'silent') response.end('taken')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  asked = []
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

function guard(allowed: readonly string[] = [], answers: string[][] = []) {
  const { names, resolve } = resolvesTo(...answers)
  const clock = fakeClock()
  return { outbound: createOutbound({ clock, allowedHosts: () => allowed, resolve }), names, clock }
}

const post = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'text/plain', authorization: 'Bearer canary' },
  body: 'hello',
  limitMs: 10_000,
  ...more,
})
const refusal = async (job: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await job.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OutboundError)
  return error as OutboundError
}

test('[S11] 300 and more ways to write an address that may not be called: none is', async () => {
  const { outbound, names } = guard([], [[]])
  const hosts = forbiddenHosts()
  expect(new Set(hosts).size).toBeGreaterThanOrEqual(300)
  const called: string[] = []
  for (const host of hosts) {
    for (const url of [`http://${host}:${port}/x`, `https://${host}/`]) {
      if (outbound.urlProblem(url) === undefined) called.push(url)
      const { fault } = await refusal(outbound.call(post(url), never))
      if (fault !== 'refused') called.push(url)
    }
  }
  expect(called).toEqual([])
  expect(names).toEqual([]) // no name server was asked either
  expect(asked).toEqual([])
})

test('[S11] nor when a name server says them, alone or one after the other', async () => {
  for (const address of forbiddenAddresses()) {
    const { outbound } = guard([], [[address], [address, address]])
    const first = await refusal(outbound.call(post(`http://hook.example.test:${port}/`), never))
    expect(first, address).toMatchObject({ fault: 'refused' })
    await refusal(outbound.connect('mail.example.test', port, never))
  }
  expect(asked).toEqual([])
})

test('[S11] of two answers only the permitted one is dialled, and it is the one that was checked', async () => {
  const { outbound, names } = guard(
    ['hook.example.test'],
    [['169.254.169.254', '127.0.0.1'], ['169.254.169.254']],
  )
  const answer = await outbound.call(post(`http://hook.example.test:${port}/x`), never)
  expect([answer.status, answer.body.toString()]).toEqual([200, 'taken'])
  expect(names).toEqual(['hook.example.test'])
  const later = await refusal(outbound.call(post(`http://hook.example.test:${port}/x`), never))
  expect(later.message).toMatch(/169\.254\.169\.254 is a link-local, metadata/)
  expect(asked).toHaveLength(1)
})

test('[S11] every redirect is checked again, by name and by address', async () => {
  const { outbound } = guard(['hook.example.test'], [['127.0.0.1'], ['169.254.169.254']])
  location = `http://hook.example.test:${port}/again`
  const rebound = await refusal(outbound.call(post(`http://hook.example.test:${port}/on/307`), never))
  expect(rebound).toMatchObject({ fault: 'refused', message: expect.stringContaining('169.254.169.254') })
  expect(asked).toEqual(['POST /on/307 hello'])
  for (const host of forbiddenHosts().slice(0, 60)) {
    location = `http://${host}/latest/meta-data`
    const away = guard([`127.0.0.1:${port}`]).outbound.call(post(`http://127.0.0.1:${port}/on/302`), never)
    expect((await refusal(away)).fault, host).toBe('refused')
  }
})

test('[S11] what is sent stays with the server it was meant for', async () => {
  const { outbound } = guard(['127.0.0.1', 'elsewhere.example.test'], [['127.0.0.1']])
  for (const elsewhere of [`http://elsewhere.example.test:${port}/`, `http://127.0.0.1:${port + 1}/`]) {
    location = elsewhere
    const { message } = await refusal(outbound.call(post(`http://127.0.0.1:${port}/on/308`), never))
    expect(message).toContain(`redirects to ${new URL(elsewhere).origin}, where nothing is sent`)
    expect(message).not.toContain('canary')
  }
})

describe('[S11] a question with nothing secret in it', () => {
  const question = (url: string): OutboundCall => ({
    url,
    method: 'GET',
    headers: {},
    body: '',
    limitMs: 10_000,
    anywhere: true,
  })

  test('may be answered by another server, which is judged as every other', async () => {
    const { outbound } = guard(['127.0.0.1', 'files.example.test'], [['127.0.0.1']])
    location = `http://files.example.test:${port}/there`
    expect((await outbound.call(question(`http://127.0.0.1:${port}/on/302`), never)).body.toString()).toBe(
      'taken',
    )
    for (const inside of [
      'http://169.254.169.254/latest',
      'http://127.0.0.2/',
      `http://[::ffff:169.254.169.254]/`,
    ]) {
      location = inside
      const answer = outbound.call(question(`http://127.0.0.1:${port}/on/302`), never)
      expect((await refusal(answer)).fault, inside).toBe('refused')
    }
  })

  test('does not go on without encryption', async () => {
    const { certPem: cert, keyPem: key } = await createSelfSigned('feed', '127.0.0.1', 'Lab', Date.now())
    const secure = createSecureServer({ cert, key }, (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    secure.listen(0, '127.0.0.1')
    await once(secure, 'listening')
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`
    const { outbound } = guard(['127.0.0.1'])
    const { message } = await refusal(outbound.call({ ...question(url), anyCertificate: true }, never))
    expect(message).toContain(`redirects to http://127.0.0.1:${port}, where nothing is sent`)
    expect(asked).toEqual([])
    secure.close()
  })
})

describe('a body that is taken as it comes', () => {
  const taking = (path: string) => {
    let bytes = 0
    const take = async (body: AsyncIterable<Buffer>) => {
      for await (const chunk of body) bytes += chunk.length
    }
    const call = guard(['127.0.0.1']).outbound.call(post(`http://127.0.0.1:${port}${path}`, { take }), never)
    return { call, bytes: () => bytes }
  }

  test('may be of any size', async () => {
    const { call, bytes } = taking(`/long/${3 * 1024 * 1024}`)
    const { status, body } = await call
    expect([status, body.length, bytes()]).toEqual([200, 0, 3 * 1024 * 1024])
  })

  test('is only that of a good answer', async () => {
    location = `http://127.0.0.1:${port + 1}/`
    const { call, bytes } = taking('/on/404')
    expect([(await call).status, bytes()]).toEqual([404, 0])
  })

  test('ends with what goes wrong where it goes', async () => {
    const take = () => Promise.reject(new Error('the disk is full of canaries'))
    const { outbound } = guard(['127.0.0.1'])
    const error = await refusal(outbound.call(post(`http://127.0.0.1:${port}/long/9`, { take }), never))
    expect(error.message).not.toContain('canaries')
  })
})

test.each([
  [307, ['POST /on/307 hello', 'POST /there hello']],
  [301, ['POST /on/301 hello', 'POST /there hello']],
  [303, ['POST /on/303 hello', 'GET /there ']],
])('a redirect with %d on the same server is followed', async (status, expected) => {
  location = '/there'
  const { outbound } = guard(['127.0.0.1'])
  const answer = await outbound.call(post(`http://127.0.0.1:${port}/on/${status}`), never)
  expect(answer.body.toString()).toBe('taken')
  expect(asked).toEqual(expected)
})

test('[S11] no more than three of them', async () => {
  location = '/on/307'
  const { outbound } = guard(['127.0.0.1'])
  const { message } = await refusal(outbound.call(post(`http://127.0.0.1:${port}/on/307`), never))
  expect(message).toContain('more than 3 redirects')
  expect(asked).toHaveLength(4)
})

test.each([
  ['a user name', 'http://admin@gotify.lan/'],
  ['a password', 'https://a:b@gotify.lan/'],
  ['a line end', 'http://gotify.lan/\r\nX-Injected: 1'],
  ['a tab in the host', 'http://127.0.\t0.1/'],
  ['a line end in the scheme', 'ht\ntp://gotify.lan/'],
  ['a blank', 'http://gotify.lan/a b'],
  ['a backslash', 'http://gotify.lan\\@169.254.169.254/'],
  ['port 0', 'http://gotify.lan:0/'],
  ['a mail server', 'http://gotify.lan:25/'],
  ['another mail server', 'https://gotify.lan:587/'],
  ['a shell', 'http://gotify.lan:22/'],
  ['another protocol', 'ftp://gotify.lan/'],
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://gotify.lan/_x'],
  ['no protocol', '//gotify.lan/'],
  ['nothing', ''],
])('[S11] a URL with %s is refused', async (_what, url) => {
  const { outbound, names } = guard(['gotify.lan'], [['127.0.0.1']])
  expect(outbound.urlProblem(url)).toBeTypeOf('string')
  expect((await refusal(outbound.call(post(url), never))).fault).toBe('refused')
  expect(names).toEqual([])
})

test('[S11] a header cannot bring lines of its own', async () => {
  const { outbound } = guard(['127.0.0.1'])
  const headers = { 'x-a': 'b\r\nx-injected: 1' }
  await refusal(outbound.call(post(`http://127.0.0.1:${port}/`, { headers }), never))
  expect(asked).toEqual([])
})

test.each(['10.0.0.5', '172.16.9.9', '192.168.1.20', 'fd12:3456::7', '198.41.0.4', '2606:4700::1111'])(
  'a receiver at %s needs no permission',
  (address) => {
    const host = address.includes(':') ? `[${address}]` : address
    expect(guard().outbound.urlProblem(`http://${host}:8080/hook`)).toBeUndefined()
    expect(guard().outbound.serverProblem(address, 25)).toBeUndefined()
  },
)

test.each([
  [['127.0.0.1'], 'http://127.0.0.1:8000/', true],
  [['127.0.0.1:8000'], 'http://127.0.0.1:8000/', true],
  [['127.0.0.1:80'], 'http://127.0.0.1/', true],
  [['127.1'], 'http://127.0.0.1/', true],
  [['LOCALHOST'], 'http://localhost/', true],
  [['[::1]:8000'], 'http://[::1]:8000/', true],
  [['box.tailnet.example'], 'http://100.64.0.9/', false],
  [['100.64.0.9'], 'http://100.64.0.9/', true],
  [['127.0.0.1:8001'], 'http://127.0.0.1:8000/', false],
  [['localhost'], 'http://127.0.0.1/', false],
  [['127.0.0.1'], 'http://[::1]/', false],
  [['169.254.169.254'], 'http://169.254.169.254/', false],
  [['metadata.google.internal'], 'http://metadata.google.internal/', false],
  [['0.0.0.0'], 'http://0.0.0.0/', false],
])('[S11] with %j allowed by an administrator %s may be called: %s', (allowed, url, may) => {
  expect(guard(allowed).outbound.urlProblem(url) === undefined).toBe(may)
})

test('the refusal says how to allow it, where that is possible', async () => {
  const { outbound } = guard([], [['127.0.0.1']])
  const { message } = await refusal(outbound.call(post('http://gotify.lan/'), never))
  expect(message).toMatch(
    /gotify\.lan is not called: 127\.0\.0\.1 is this machine itself; .* allow gotify\.lan under/,
  )
  expect(guard().outbound.urlProblem('http://127.0.0.1:8000/')).toBe(
    '127.0.0.1 is this machine itself; an administrator can allow 127.0.0.1:8000 under Allowed hosts',
  )
  expect(guard().outbound.serverProblem('127.0.0.1', 25)).toContain('can allow 127.0.0.1:25 under')
  expect(guard().outbound.urlProblem('http://169.254.169.254/')).not.toContain('allow')
})

test('[S11] an answer has a megabyte at most, and ends at its deadline', async () => {
  const { outbound, clock } = guard(['127.0.0.1'])
  const long = await refusal(outbound.call(post(`http://127.0.0.1:${port}/long/${1024 * 1024 + 1}`), never))
  expect(long.message).toContain('larger than 1 MB')
  const silent = outbound.call(post(`http://127.0.0.1:${port}/silent`), never)
  const ended = refusal(silent)
  await vi.waitUntil(() => asked.length === 2, within(30_000))
  await clock.advance(10_000)
  expect((await ended).message).toBe(`http://127.0.0.1:${port}: no answer within 10 s`)
  expect(clock.pending()).toBe(0)
})

test('[S11] a proxy of the environment is not used', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY'])
    vi.stubEnv(name, 'http://127.0.0.1:9')
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  try {
    const answer = await guard(['127.0.0.1']).outbound.call(post(`http://127.0.0.1:${port}/`), never)
    expect(answer.status).toBe(200)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('[S18] an untrusted certificate is refused, unless the settings accept it', async () => {
  const { certPem: cert, keyPem: key } = await createSelfSigned('apprise', '127.0.0.1', 'Lab', Date.now())
  const secure = createSecureServer({ cert, key }, (_request, response) => void response.end('taken'))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`
  const { outbound } = guard(['127.0.0.1'])
  expect((await refusal(outbound.call(post(url), never))).message).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/)
  expect((await outbound.call(post(url, { anyCertificate: true }), never)).status).toBe(200)
  secure.close()
})

test('a connection of its own goes to checked addresses only, and says why it does not', async () => {
  const { outbound } = guard(['mail.example.test'], [['fe80::1', '127.0.0.1']])
  const socket = await outbound.connect('mail.example.test', port, never)
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  expect((await refusal(outbound.connect('127.0.0.1', port, never))).message).toMatch(
    /is this machine itself/,
  )
  expect((await refusal(outbound.connect('::ffff:a9fe:a9fe', 25, never))).fault).toBe('refused')
  const ended = AbortSignal.abort(new OutboundError('no answer within 10 s'))
  expect((await refusal(outbound.connect('mail.example.test', port, ended))).message).toBe(
    'no answer within 10 s',
  )
})
