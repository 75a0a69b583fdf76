import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Caller, clientKey, readCaller } from './caller.ts'
import { aCaller } from './fixtures.ts'
import { networks } from './networks.ts'

const proxies = networks(['10.0.0.0/24', '2001:db8:1::/48'])
const via = (headers: Record<string, string | string[]>, peer = '10.0.0.1') =>
  aCaller({ peer, headers }, proxies)

describe('[S6] the client is the right-most hop that is no trusted proxy', () => {
  test.each([
    { chain: '192.0.2.1', client: '192.0.2.1' },
    { chain: '6.6.6.6, 192.0.2.1', client: '192.0.2.1' },
    { chain: '127.0.0.1, 10.0.0.9, 192.0.2.1, 10.0.0.2', client: '192.0.2.1' },
    { chain: '192.0.2.1,10.0.0.2,10.0.0.3', client: '192.0.2.1' },
    { chain: '192.0.2.1, 10.0.1.2', client: '10.0.1.2' },
    { chain: '10.0.0.3, 10.0.0.2', client: '10.0.0.3' },
    { chain: '192.0.2.1:4711', client: '192.0.2.1' },
    { chain: '[2001:db8:2::1]:443', client: '2001:db8:2::1' },
    { chain: '[2001:db8:2::1]', client: '2001:db8:2::1' },
    { chain: '2001:db8:2::1', client: '2001:db8:2::1' },
    { chain: '192.0.2.1, 2001:db8:1::5', client: '192.0.2.1' },
    { chain: '::ffff:192.0.2.1', client: '192.0.2.1' },
    { chain: '::FFFF:192.0.2.1, ::ffff:10.0.0.2', client: '192.0.2.1' },
    { chain: '::ffff:c000:201, ::ffff:a00:2', client: '192.0.2.1' },
    { chain: '::192.0.2.1', client: '::192.0.2.1' },
    { chain: 'fe80::1%eth0', client: 'fe80::1' },
    { chain: '[fe80::1%eth0]:80', client: 'fe80::1' },
    { chain: '  192.0.2.1  ', client: '192.0.2.1' },
    { chain: '192.0.2.1, unknown', client: '10.0.0.1' },
    { chain: '192.0.2.1, 10.0.0.2, _hidden', client: '10.0.0.1' },
    { chain: 'unknown, 10.0.0.2', client: '10.0.0.2' },
    { chain: '192.0.2.1,', client: '10.0.0.1' },
    { chain: '', client: '10.0.0.1' },
    { chain: 'proxy.lan', client: '10.0.0.1' },
  ])('"$chain": $client', ({ chain, client }) => {
    expect(via({ 'x-forwarded-for': chain }).client).toBe(client)
    expect(via({ 'x-forwarded-for': chain.split(',') }).client).toBe(client)
  })

  test.each(['192.0.2.7', '10.0.1.1', '::ffff:192.0.2.7', ''])(
    'from %s no forwarding header counts',
    (peer) => {
      const headers = {
        host: 'pulse.lan',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        'x-real-ip': '127.0.0.1',
        forwarded: 'for=127.0.0.1;proto=https;host=evil.example',
      }
      const plain = peer.replace('::ffff:', '')
      const expected = {
        peer: plain,
        client: plain,
        https: false,
        site: 'http://pulse.lan',
        viaTrustedProxy: false,
      }
      expect(via(headers, peer)).toMatchObject(expected)
      expect(aCaller({ peer, headers })).toMatchObject(expected)
    },
  )

  test('a peer that is gone has no address', () => {
    expect(aCaller({ peer: undefined })).toMatchObject({ peer: '', client: '', viaTrustedProxy: false })
  })
})

describe('[S6] scheme and host of a trusted proxy', () => {
  test.each([
    { headers: { 'x-forwarded-proto': 'https' }, site: 'https://pulse.lan', https: true },
    { headers: { 'x-forwarded-proto': 'HTTPS' }, site: 'https://pulse.lan', https: true },
    { headers: { 'x-forwarded-proto': 'https, http' }, site: 'http://pulse.lan', https: false },
    { headers: { 'x-forwarded-proto': 'http, https' }, site: 'https://pulse.lan', https: true },
    { headers: { 'x-forwarded-proto': 'httpss' }, site: 'http://pulse.lan', https: false },
    { headers: { 'x-forwarded-host': 'status.example' }, site: 'http://status.example', https: false },
    {
      headers: { 'x-forwarded-host': 'evil.example, status.example' },
      site: 'http://status.example',
      https: false,
    },
    { headers: { forwarded: 'proto=https;host=evil.example' }, site: 'http://pulse.lan', https: false },
  ])('$headers: $site', ({ headers, site, https }) => {
    expect(via({ host: 'pulse.lan', ...headers })).toMatchObject({ site, https })
  })

  test('with HTTPS of its own the server ignores headers that deny it', () => {
    const raw = { peer: '10.0.0.1', encrypted: true, headers: { host: 'a', 'x-forwarded-proto': 'http' } }
    expect(aCaller(raw, proxies)).toMatchObject({ https: true, site: 'https://a' })
  })
})

test.each([
  ['pulse.lan', 'http://pulse.lan'],
  ['pulse.lan:7655', 'http://pulse.lan:7655'],
  ['PULSE.lan:80', 'http://pulse.lan'],
  ['[::1]:7655', 'http://[::1]:7655'],
  ['xn--bcher-kva.example', 'http://xn--bcher-kva.example'],
  ['pulse.lan.', 'http://pulse.lan.'],
  ...[
    '',
    'a@evil.example',
    'a/b',
    'a/',
    'a#',
    'a?',
    'a\\b',
    'a b',
    'a,b',
    '%61.example',
    'bücher.example',
    '::1',
    'a:99999',
    'javascript:alert(1)',
    '*',
  ].map((host) => [host, undefined]),
])('[S2] Host "%s" names the site %s', (host, site) => {
  expect(aCaller({ headers: { host: host! } }).site).toBe(site)
})

test('[S2] no Host names no site', () => expect(aCaller().site).toBeUndefined())

test('[S6] a header that came twice is no single value', async () => {
  const callers: Caller[] = []
  const server = http.createServer(({ headers, rawHeaders, socket }, response) => {
    const raw = {
      peer: socket.remoteAddress,
      encrypted: false,
      method: 'GET',
      headers,
      rawHeaders,
      requestId: '',
    }
    callers.push(readCaller(raw, networks(['127.0.0.1'])))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    const headers = {
      Host: 'pulse.lan',
      'X-User': ['admin', 'anna'],
      'x-role': 'a, b',
      'X-Forwarded-For': ['6.6.6.6', '192.0.2.1'],
      Cookie: ['a=1', 'b=2'],
    }
    http.get({ host: '127.0.0.1', port, headers }, (answer) => answer.resume().on('end', resolve))
  })
  server.close()
  expect(callers[0]).toMatchObject({
    client: '192.0.2.1',
    headers: { 'x-user': ['admin', 'anna'], 'x-role': 'a, b', cookie: 'a=1; b=2', host: 'pulse.lan' },
  })
})

describe('[S5] attempts are counted by what one host owns', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:5::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1', 'fe80:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['', ''],
    ['::5:6:7:192.0.2.1', '0:0:0:5::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => expect(clientKey(address)).toBe(key))
})
