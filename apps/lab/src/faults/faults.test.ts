import { get } from 'node:https'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { tokenHeader } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'

const small = { nodes: 2, guests: 2 }

test('latency comes before the real answer', async () => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'latency', ms: 120, path: '/version' })
  const began = performance.now()
  expect((await ask('/version')).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThan(115)
})

test('a hang never answers', async () => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'hang' })
  const signal = AbortSignal.timeout(150)
  await expect(ask('/version', { signal })).rejects.toThrow(/abort/)
})

test('a reset breaks the connection off', async () => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'reset' })
  await expect(ask('/version')).rejects.toThrow(/ECONNRESET|socket hang up/)
})

test('broken JSON is the first half of the real one', async () => {
  const { lab, ask } = await aLab(small)
  const whole = (await ask('/version')).body
  lab.control.addFault({ kind: 'broken-json' })
  const { status, body } = await ask('/version')
  expect(status).toBe(200)
  expect(body).toBe(whole.slice(0, Math.floor(whole.length / 2)))
  expect(() => JSON.parse(body) as unknown).toThrow()
})

test('the named fields have other texts, the same ones in every answer', async () => {
  const { lab, ask } = await aLab(small)
  const before = (await ask('/cluster/resources')).data as Record<string, unknown>[]
  lab.control.addFault({ kind: 'texts', path: '/cluster/resources', fields: ['name'], texts: ['<b>', '"'] })
  const bent = (await ask('/cluster/resources')).data as Record<string, unknown>[]
  const names = bent.flatMap(({ name }) => (name === undefined ? [] : [name]))
  expect(new Set(names).size).toBeGreaterThan(0)
  expect(names.every((name) => name === '<b>' || name === '"')).toBe(true)
  expect(bent.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  const again = (await ask('/cluster/resources')).data as Record<string, unknown>[]
  expect(again.map(({ name }) => name)).toEqual(bent.map(({ name }) => name))
})

test('HTML comes with 200', async () => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'html' })
  const answer = await ask('/version')
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.body).toContain('<html>')
})

test.each([
  { given: { status: 401 }, text: 'permission denied - invalid PVE ticket' },
  {
    given: { status: 403, text: 'Permission check failed (/, Sys.Audit)' },
    text: 'Permission check failed (/, Sys.Audit)',
  },
  {
    given: { status: 500, text: 'got no worker upid - start worker failed' },
    text: 'got no worker upid - start worker failed',
  },
  { given: { status: 503 }, text: 'Service Unavailable' },
  { given: { status: 596 }, text: 'Connection timed out' },
])('any status is possible: $given.status $text', async ({ given, text }) => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'status', ...given })
  expect(await ask('/version')).toMatchObject({ status: given.status, text })
})

test('a rate limit says when to come back', async () => {
  const { lab, ask } = await aLab(small)
  lab.control.addFault({ kind: 'status', status: 429 })
  const { status, headers } = await ask('/version')
  expect(status).toBe(429)
  expect(headers['retry-after']).toBe('10')
})

test('a 401 takes as long as a real one', async () => {
  const { lab, ask } = await aLab({ ...small, authDelayMs: 100 })
  lab.control.addFault({ kind: 'status', status: 401 })
  const began = performance.now()
  await ask('/version')
  expect(performance.now() - began).toBeGreaterThan(95)
})

const openStream = async (url: string, headers: object) => {
  const request = get(`${url}/api2/json/version`, { headers: { ...headers }, rejectUnauthorized: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { request, response }
}

test('a dribble sends the real answer byte by byte', async () => {
  const { lab } = await aLab(small)
  lab.control.addFault({ kind: 'dribble', bytesPerSecond: 500 })
  const { response } = await openStream(lab.clusters[0]!.nodes[0]!.url, tokenHeader(lab.credentials))
  const chunks = (await response.toArray()) as Buffer[]
  expect(chunks.length).toBeGreaterThan(20)
  expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveProperty('data.version')
})

test('a huge body streams as long as the client reads', async () => {
  const { lab } = await aLab(small)
  lab.control.addFault({ kind: 'huge', bytes: 20_000_000, times: 1 })
  const { url } = lab.clusters[0]!.nodes[0]!
  const { response } = await openStream(url, tokenHeader(lab.credentials))
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length
  expect(bytes).toBeGreaterThan(20_000_000)

  lab.control.addFault({ kind: 'huge' })
  const endless = await openStream(url, tokenHeader(lab.credentials))
  await once(endless.response, 'data')
  endless.request.destroy()
  lab.control.clearFaults()
  expect((await openStream(url, tokenHeader(lab.credentials))).response.statusCode).toBe(200)
})

test('a fault affects the selected requests, as often as configured, and then ends', async () => {
  const { lab, ask } = await aLab(small)
  const { id } = lab.control.addFault({
    kind: 'status',
    status: 500,
    node: 'pve2',
    path: '/nodes/*/status',
    times: 2,
  })
  const statuses = async () => [
    (await ask('/nodes/pve1/status')).status,
    (await ask('/version', { node: 'pve2' })).status,
    (await ask('/nodes/pve2/status', { node: 'pve2' })).status,
  ]
  expect(await statuses()).toEqual([200, 200, 500])
  expect(lab.control.faults()).toMatchObject([{ id, met: 1 }])
  expect(await statuses()).toEqual([200, 200, 500])
  expect(await statuses()).toEqual([200, 200, 200])
  expect(lab.control.faults()).toEqual([])
})

test('a fault can name a path template, the web page, or be removed', async () => {
  const { lab, ask, guestPath } = await aLab(small)
  lab.control.addFault({ kind: 'status', status: 500, path: '/nodes/{node}/qemu/{vmid}/config' })
  const page = lab.control.addFault({ kind: 'status', status: 502, path: '/' })
  expect((await ask(`${guestPath(100)}/config`)).status).toBe(500)
  expect((await ask('/', { base: '' })).status).toBe(502)
  lab.control.removeFault(page.id)
  expect((await ask('/', { base: '' })).status).toBe(200)
})
