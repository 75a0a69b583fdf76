import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { realClock } from '../edges.ts'
import { type Listener, listenHttps, listenTcp, showPage, startPage } from './fixtures.ts'
import { type Finding, probe } from './probe.ts'

let last = 0
const nextAddress = () => `127.31.0.${++last}`
const look = (ip: string, port = 8006, change: Partial<Parameters<typeof probe>[2]> = {}) =>
  probe(ip, port, {
    clock: realClock,
    signal: new AbortController().signal,
    dialTimeoutMs: 5_000,
    httpTimeoutMs: 5_000,
    ...change,
  })
const problem = (type: string, message: RegExp) => ({
  is: 'problem',
  type,
  message: expect.stringMatching(message) as string,
})
const server = (identity: Extract<Finding, { is: 'server' }>['identity']) => ({ is: 'server', identity })
const noTitle = showPage('<html><title>Welcome</title></head></html>')

const withServer =
  (name: string, byPath: Record<string, [number, string]> = {}): RequestListener =>
  (request, response) => {
    const [status, body] = byPath[request.url!] ?? [401, '']
    response.writeHead(status, { server: name }).end(body)
  }

describe('[collection 5.3] what listens there', () => {
  const rows: [string, RequestListener, string, Finding | object, string[]][] = [
    [
      'PVE by its title',
      showPage(startPage('pve', 'pve1')),
      'Example',
      server({ type: 'pve', version: '8.4.1', node: 'pve1' }),
      ['GET /'],
    ],
    [
      'PBS by its title',
      showPage(startPage('pbs', 'pbs1')),
      'Example',
      server({ type: 'pbs', node: 'pbs1' }),
      ['GET /'],
    ],
    [
      'PMG by its title, whatever its certificate says',
      showPage(startPage('pmg', 'mail')),
      'Proxmox Virtual Environment',
      server({ type: 'pmg', node: 'mail' }),
      ['GET /'],
    ],
    ['PVE by its certificate', noTitle, 'Proxmox Virtual Environment', server({ type: 'pve' }), ['GET /']],
    ['PBS by its certificate', noTitle, 'Proxmox Backup Server', server({ type: 'pbs' }), ['GET /']],
    ['PMG by its certificate', noTitle, 'Proxmox Mail Gateway', server({ type: 'pmg' }), ['GET /']],
    [
      'PVE behind a hidden page, by its open list of realms',
      withServer('pve-api-daemon/3.0', { '/api2/json/access/domains': [200, '{"data":[{"realm":"pve"}]}'] }),
      'Example',
      server({ type: 'pve' }),
      ['GET /', 'GET /api2/json/access/domains'],
    ],
    [
      'PMG behind a hidden page: it has no such list',
      withServer('pve-api-daemon/3.0'),
      'Example',
      server({ type: 'pmg' }),
      ['GET /', 'GET /api2/json/access/domains'],
    ],
    [
      'a redirect, which is not followed',
      (_request, response) => void response.writeHead(302, { location: 'https://127.31.0.250:8006/' }).end(),
      'Example',
      problem('no_identification', /not a Proxmox server/),
      ['GET /'],
    ],
    [
      'something else entirely, which is asked once',
      withServer('nginx', { '/': [200, '<title>Grafana</title></head>'] }),
      'Example',
      problem('no_identification', /not a Proxmox server/),
      ['GET /'],
    ],
    [
      'an endless answer',
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(16 * 1024)));
        }
        response.on('drain', more)
        more()
      },
      'Example',
      problem('no_identification', /not a Proxmox server/),
      ['GET /'],
    ],
    [
      'an answer that is cut off after the title',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '9000' })
        response.write('<title>x - Proxmox Backup Server</title>', () => response.destroy())
      },
      'Example',
      server({ type: 'pbs', node: 'x' }),
      ['GET /'],
    ],
  ]
  test.each(rows)('%s', async (_name, respond, organization, expected, asked) => {
    const address = nextAddress()
    const listener = await listenHttps(address, 8006, respond, organization)
    expect(await look(address)).toEqual(expected)
    expect(listener.asked).toEqual(asked)
    expect(listener.connections).toBe(asked.length)
  })

  test('nothing: the address is free', async () => {
    expect(await look(nextAddress())).toEqual({ is: 'nothing', reached: true })
  })

  const strangers: [string, (address: string) => Promise<Listener>, object][] = [
    [
      'HTTP without TLS',
      (address) => listenTcp(address, 8006, (s) => s.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      problem('no_identification', /does not speak TLS/),
    ],
    [
      'something that hangs up',
      (address) => listenTcp(address, 8006, (s) => s.destroy()),
      problem('no_identification', /does not speak TLS/),
    ],
    [
      'something that accepts and says nothing',
      (address) => listenTcp(address, 8006, () => undefined),
      problem('timeout', /did not answer in time/),
    ],
    [
      'TLS without HTTP',
      (address) => listenHttps(address, 8006, (request) => request.socket.end('SSH-2.0-x\r\n')),
      problem('no_identification', /not a Proxmox server/),
    ],
    [
      'TLS, and then silence',
      (address) => listenHttps(address, 8006, () => undefined),
      problem('timeout', /did not answer in time/),
    ],
    [
      'headers without end',
      (address) =>
        listenHttps(address, 8006, ({ socket }) => {
          const more = () => void socket.write(`x-a: ${'b'.repeat(8_000)}\r\n`, (e) => e ?? more())
          socket.write('HTTP/1.1 200 OK\r\n')
          more()
        }),
      problem('no_identification', /not a Proxmox server/),
    ],
  ]
  test.each(strangers)('%s', async (name, listen, expected) => {
    const address = nextAddress()
    await listen(address)
    // Only a silent server gets short limits. A busy machine may be slow to read other answers.
    const saysNothing = /says nothing|silence/.test(name)
    const limits = saysNothing ? { dialTimeoutMs: 1_000, httpTimeoutMs: 400 } : {}
    expect(await look(address, 8006, limits)).toEqual(expected)
  })

  test('a slow server with the right certificate is known by it', async () => {
    const address = nextAddress()
    await listenHttps(address, 8006, () => undefined, 'Proxmox Virtual Environment')
    expect(await look(address, 8006, { httpTimeoutMs: 300 })).toEqual(server({ type: 'pve' }))
  })

  test.each([
    ['before it began', 0],
    ['while the other side is silent', 50],
  ])('a signal ends it %s', async (_when, afterMs) => {
    const address = nextAddress()
    const listener = await listenTcp(address, 8006, () => undefined)
    const abort = new AbortController()
    if (afterMs === 0) abort.abort()
    else setTimeout(() => abort.abort(), afterMs)
    expect(await look(address, 8006, { signal: abort.signal })).toEqual({ is: 'canceled' })
    expect(listener.connections).toBe(afterMs === 0 ? 0 : 1)
  })
})
