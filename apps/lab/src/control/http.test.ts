import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { aLab, guestsIn } from '../fixtures.ts'

const steering = { 'x-lab-control': '1' }

async function call(
  url: string,
  method: string,
  path: string,
  { body, headers = steering }: { body?: unknown; headers?: object } = {},
) {
  const outgoing = request(`${url}${path}`, { method, headers: { ...headers } })
  outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString()
  return { status: response.statusCode, reply: JSON.parse(text) as unknown }
}

test('the summary contains everything that a parent needs', async () => {
  const { lab } = await aLab()
  const { status, reply } = await call(lab.controlUrl, 'GET', '/', { headers: {} })
  expect(status).toBe(200)
  expect(reply).toEqual({
    clusters: lab.clusters,
    pbs: [],
    pmg: [],
    docker: [],
    credentials: lab.credentials,
  })
  expect(lab.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('every operation of the control is available over HTTP', async () => {
  const { lab, ask } = await aLab({ nodes: 4, guests: 40, clusters: 2, pbs: 1 })
  const done = async (method: string, path: string, body?: unknown) => {
    const { status, reply } = await call(lab.controlUrl, method, path, { body })
    expect({ path, status, reply }).toMatchObject({ status: 200 })
    return reply as Record<string, unknown>
  }
  expect(await done('PATCH', '/guests/101', { cpu: 0.95 })).toMatchObject({ vmid: 101, pins: { cpu: 0.95 } })
  expect(await done('GET', '/guests/101')).toMatchObject({ pins: { cpu: 0.95 } })
  expect(await done('GET', '/guests?cluster=edge')).toHaveLength(20)
  expect(await done('POST', '/guests/104/migrate', { to: 'pve2' })).toMatchObject({ node: 'pve2' })
  expect(await done('POST', '/guests?cluster=edge', { name: 'x' })).toMatchObject({ vmid: 120 })
  await done('DELETE', '/guests/103')
  await done('PATCH', '/nodes/pve2', { cpu: 0.5 })
  await done('PATCH', '/storages/local', { used: 5 })
  await done('PATCH', '/clusters/prod', { quorate: false })
  await done('PATCH', `/tokens/${encodeURIComponent(lab.credentials.auditor.tokenId)}`, {
    drop: ['VM.Audit'],
  })
  expect(await done('POST', '/nodes/pve1/certificate')).toHaveProperty('fingerprint')
  expect(await done('POST', '/appliances/pbs1/certificate')).toHaveProperty('fingerprint')
  await done('PATCH', '/appliances/pbs1', { online: false })
  expect(lab.pbs[0]!.online).toBe(false)
  const { id } = await done('POST', '/faults', { kind: 'latency', ms: 1 })
  expect(await done('GET', '/faults')).toHaveLength(1)
  await done('DELETE', `/faults/${String(id)}`)
  await done('DELETE', '/faults')
  const resources = guestsIn(await ask('/cluster/resources').catch(() => ask('/cluster/resources')))
  expect(resources.get(101)).toMatchObject({ cpu: 0.95 })
  expect(resources.has(103)).toBe(false)
  expect(await done('GET', '/requests?node=pve1&path=/cluster/*')).toMatchObject({ total: 1 })
  await done('DELETE', '/requests')
  await done('POST', '/reset')
})

test.each([
  {
    when: 'the steering header is missing',
    method: 'PATCH',
    path: '/guests/101',
    headers: {},
    status: 403,
    error: 'header X-Lab-Control: 1 is missing',
  },
  {
    when: 'another host name is asked for',
    method: 'GET',
    path: '/',
    headers: { host: 'evil.example' },
    status: 403,
    error: 'host evil.example is not served',
  },
  {
    when: 'there is no such operation',
    method: 'PUT',
    path: '/guests/101',
    status: 404,
    error: 'no PUT /guests/{}',
  },
  { when: 'the VMID is none', method: 'GET', path: '/guests/web', status: 400, error: 'web is not a VMID' },
  {
    when: 'the body is not JSON',
    method: 'PATCH',
    path: '/guests/101',
    body: '{"cpu":',
    status: 400,
    error: 'body is not JSON',
  },
  {
    when: 'a field is wrong',
    method: 'PATCH',
    path: '/guests/101',
    body: { cpu: -1 },
    status: 400,
    error: 'guest.cpu must be',
  },
  {
    when: 'the target of a move is missing',
    method: 'POST',
    path: '/guests/101/migrate',
    body: {},
    status: 400,
    error: 'migrate needs {"to"',
  },
  { when: 'the fault is unknown', method: 'DELETE', path: '/faults/7', status: 404, error: 'no fault 7' },
])('$status when $when', async ({ method, path, body, headers, status, error }) => {
  const { lab } = await aLab()
  const answer = await call(lab.controlUrl, method, path, { body, ...(headers && { headers }) })
  expect(answer.status).toBe(status)
  expect((answer.reply as { error: string }).error).toContain(error)
})
