import { expect, test } from 'vitest'
import { aLab } from './fixtures.ts'

test('requests are counted by node and path template, and by exact path when asked', async () => {
  const { lab, ask, guestPath } = await aLab()
  for (const vmid of [100, 101, 101]) await ask(`${guestPath(vmid)}/config`)
  await ask('/version', { node: 'pve2' })
  await ask('/nope')
  const template = '/nodes/{node}/qemu/{vmid}/config'
  expect(lab.requests({ path: template })).toMatchObject({ total: 3 })
  expect(lab.requests({ path: '/nodes/*/qemu/101/*' }).entries).toEqual([
    { cluster: 'prod', node: 'pve1', method: 'GET', template, count: 2 },
  ])
  expect(lab.requests({ node: 'pve2' }).entries.map(({ template }) => template)).toEqual(['/version'])
  expect(lab.requests({ path: 'unknown' }).total).toBe(1)
  expect(lab.requests().total).toBe(5)
  lab.control.resetRequests()
  expect(lab.requests().total).toBe(0)
})

test('the maximum of concurrent requests is counted for each node', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  lab.control.addFault({ kind: 'latency', ms: 50 })
  await Promise.all([1, 2, 3].map(() => ask('/version')))
  expect(lab.requests().maxInFlight).toEqual({ 'prod/pve1': 3 })
})
