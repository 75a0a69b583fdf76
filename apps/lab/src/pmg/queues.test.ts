import { expect, test } from 'vitest'
import { aMailGateway } from '../appliance/fixtures.ts'
import type { Item } from '../appliance/fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')
const shape = '/nodes/pmg1/postfix/qshape'
const columns = ['5m', '10m', '20m', '40m', '80m', '160m', '320m', '640m', '1280m', '1280m+']

const sumOf = (rows: readonly Item[], column: string) =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

test('[proxmox-api 3.6] every figure is a text, and the first row is the sum of the others', async () => {
  const { lab, list, ask } = await aMailGateway({ now: () => noon })
  await lab.control.patchAppliance('pmg1', { queues: { deferred: { total: 700, oldestMinutes: 300 } } })
  const [total, ...domains] = await list(shape)
  expect(total).toMatchObject({ domain: 'TOTAL', total: '700', '640m': '0' })
  expect(Number(total!['320m'])).toBeGreaterThan(0)
  for (const column of ['total', ...columns]) expect(total![column]).toBe(String(sumOf(domains, column)))
  expect(columns.reduce((sum, column) => sum + Number(total![column]), 0)).toBe(700)
  const [hold] = await list(`${shape}?queue=hold`)
  expect(hold).toMatchObject({ domain: 'TOTAL', total: '0', '1280m+': '0' })
  expect((await ask(`${shape}?queue=bounce`)).status).toBe(400)
})

test('a queue can grow, and its messages get older', async () => {
  let nowMs = noon
  const { lab, list } = await aMailGateway({ now: () => nowMs })
  await lab.control.patchAppliance('pmg1', {
    queues: { active: { total: 10, perMinute: 30, oldestMinutes: 4 } },
  })
  const active = async () => (await list(`${shape}?queue=active`))[0]!
  expect(await active()).toMatchObject({ total: '10', '5m': '10' })
  nowMs += 10 * 60_000
  const later = await active()
  expect(later).toMatchObject({ total: '310' })
  expect(Number(later['20m'])).toBeGreaterThan(0)
  await lab.control.patchAppliance('pmg1', { queues: { active: null } })
  expect(Number((await active()).total)).toBeLessThan(3)
})

test('[proxmox-api 3.6] the messages of a queue come with their number, cut before they are sorted', async () => {
  const { lab, ask } = await aMailGateway({ now: () => noon })
  await lab.control.patchAppliance('pmg1', { queues: { deferred: { total: 120, oldestMinutes: 90 } } })
  const answer = await ask('/nodes/localhost/postfix/queue/deferred?limit=1&sortfield=arrival_time')
  expect(JSON.parse(answer.body)).toMatchObject({ total: 120, data: [{ queue_name: 'deferred' }] })
  expect((await ask('/nodes/localhost/postfix/queue')).data).toHaveLength(4)
})

test('a growing queue can be played', async () => {
  let nowMs = noon
  const { lab, list } = await aMailGateway({ now: () => nowMs })
  const deferred = async () => Number((await list(shape))[0]!.total)
  await lab.control.play('queue-grows')
  expect(await deferred()).toBe(600)
  nowMs += 60_000
  expect(await deferred()).toBe(640)
  await lab.control.reset()
  expect(await deferred()).toBeLessThan(10)
})
