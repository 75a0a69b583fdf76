import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { Agent, get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { tokenHeader } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'
import { toSettings } from '../options.ts'

test.each(['7', '8', '9'] as const)('PVE %s: an unknown parameter is 400 and says which', async (version) => {
  const { ask } = await aLab({ version, nodes: 1, guests: 1 })
  const answer = await ask('/cluster/resources?type=vm&full=1')
  expect(answer).toMatchObject({ status: 400, text: 'Parameter verification failed.' })
  const { errors, data } = JSON.parse(answer.body) as { errors: Record<string, string>; data: null }
  expect(data).toBeNull()
  expect(errors).toEqual({
    full: 'property is not defined in schema and the schema does not allow additional properties',
  })
})

test.each([
  { query: '', problem: 'property is missing and it is not optional' },
  {
    query: '?timeframe=decade',
    problem: "value 'decade' does not have a value in the enumeration 'hour, day, week, month, year'",
  },
])('PVE 8: rrddata$query is 400', async ({ query, problem }) => {
  const { ask } = await aLab({ version: '8', nodes: 1, guests: 1 })
  const answer = await ask(`/nodes/pve1/rrddata${query}`)
  expect((JSON.parse(answer.body) as { errors: object }).errors).toEqual({ timeframe: problem })
})

test('numbers and flags are checked, but not parameters that browsers add', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 1 })
  expect((await ask('/nodes/pve1/tasks?limit=ten')).status).toBe(400)
  expect((await ask('/nodes/pve1/qemu?full=maybe')).status).toBe(400)
  expect((await ask('/nodes/pve1/qemu/x/status/current')).status).toBe(400)
  expect((await ask('/nodes/pve1/qemu?full=yes&_dc=1234')).status).toBe(200)
})

test('an unknown path is 501 in the status line, but only after a sign-in', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  expect(await ask('/cluster/nothing')).toMatchObject({
    status: 501,
    text: "Method 'GET /cluster/nothing' not implemented",
  })
  expect((await ask('/cluster/nothing', { headers: {} })).status).toBe(401)
  expect(await ask('/other', { base: '' })).toMatchObject({ status: 501, text: "no such file '/other'" })
})

test.each([
  { version: '7', body: { data: null } },
  { version: '8', body: { data: null } },
  {
    version: '9',
    body: { data: null, message: "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist\n" },
  },
] as const)(
  'PVE $version: the error text is in the body only where it is in the real one',
  async ({ version, body }) => {
    const { ask } = await aLab({ version, nodes: 1, guests: 1 })
    const answer = await ask('/nodes/pve1/qemu/999/status/current')
    expect(answer.text).toBe("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist")
    expect(JSON.parse(answer.body)).toEqual(body)
  },
)

test('a container is not a VM, and a guest is unknown on other nodes', async () => {
  const { lab, ask } = await aLab()
  const { node } = lab.control.guest(102)
  expect((await ask(`/nodes/${node}/qemu/102/config`)).status).toBe(500)
  const elsewhere = lab.clusters[0]!.nodes.find(({ name }) => name !== node)!.name
  expect((await ask(`/nodes/${elsewhere}/lxc/102/config`)).text).toContain('does not exist')
})

test('container interfaces came after 7', async () => {
  const { ask, guestPath } = await aLab({ version: '7' })
  expect(await ask(`${guestPath(102)}/interfaces`)).toMatchObject({ status: 501 })
})

test('methods that PVE does not have are refused before anything else', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  expect(await ask('/version', { method: 'PATCH', headers: {} })).toMatchObject({
    status: 501,
    text: "method 'PATCH' not available",
  })
  expect(await ask('/nodes', { method: 'DELETE' })).toMatchObject({
    text: "Method 'DELETE /nodes' not implemented",
  })
})

test('large answers are compressed on request', async () => {
  const { lab } = await aLab({ loadPeriodMs: 3_600_000 })
  const headers = { ...tokenHeader(lab.credentials), 'accept-encoding': 'gzip' }
  const url = `${lab.clusters[0]!.nodes[0]!.url}/api2/json`
  for (const path of ['/cluster/resources', '/cluster/resources', '/nodes/pve1/qemu']) {
    const [response] = (await once(
      get(`${url}${path}`, { headers, rejectUnauthorized: false }),
      'response',
    )) as [IncomingMessage]
    expect(response.headers['content-encoding']).toBe('gzip')
    const packed = Buffer.concat((await response.toArray()) as Buffer[])
    expect(JSON.parse(gunzipSync(packed).toString())).toHaveProperty('data')
  }
})

describe('connections', () => {
  const openOne = (url: string, headers: object) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    return async (path: string) => {
      const [response] = (await once(
        get(`${url}/api2/json${path}`, { agent, headers: { ...headers } }),
        'response',
      )) as [IncomingMessage]
      const { socket } = response
      response.resume()
      await once(response, 'end')
      return { socket, connection: response.headers.connection }
    }
  }

  test('stay open after 200 and end after any error', async () => {
    const { lab } = await aLab({ nodes: 1, guests: 1 })
    const ask = openOne(lab.clusters[0]!.nodes[0]!.url, tokenHeader(lab.credentials))
    const first = await ask('/version')
    const second = await ask('/nope')
    const third = await ask('/version')
    expect(second.socket).toBe(first.socket)
    expect(third.socket).not.toBe(first.socket)
    expect([first.connection, second.connection]).toEqual(['Keep-Alive', 'close'])
  })

  test('end after a hundred requests', async () => {
    const { lab } = await aLab({ nodes: 1, guests: 1 })
    const ask = openOne(lab.clusters[0]!.nodes[0]!.url, tokenHeader(lab.credentials))
    const sockets = []
    for (let count = 0; count < 101; count++) sockets.push((await ask('/version')).socket)
    expect(sockets[99]).toBe(sockets[0])
    expect(sockets[100]).not.toBe(sockets[0])
  })

  test('end when they are idle for five seconds, or as long as configured', async () => {
    expect(toSettings().idleCloseMs).toBe(5000)
    const idle = async (idleCloseMs?: number) => {
      const { lab } = await aLab({ nodes: 1, guests: 1, ...(idleCloseMs && { idleCloseMs }) })
      const ask = openOne(lab.clusters[0]!.nodes[0]!.url, tokenHeader(lab.credentials))
      return (await ask('/version')).socket
    }
    const usual = await idle()
    const quick = await idle(200)
    const began = performance.now()
    await once(quick, 'close')
    expect(performance.now() - began).toBeGreaterThan(150)
    expect(usual.destroyed).toBe(false)
  })
})
