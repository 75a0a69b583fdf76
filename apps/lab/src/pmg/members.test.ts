import { expect, test } from 'vitest'
import { aMailGateway } from '../appliance/fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')

test('[proxmox-api 3.7] a single gateway has no cluster, unless its own row is requested', async () => {
  const { list } = await aMailGateway({ pmg: 2 })
  expect(await list('/config/cluster/status')).toEqual([])
  const [own] = await list('/config/cluster/status?list_single_node=1')
  expect(own).toMatchObject({
    type: '-',
    name: 'pmg1',
    insync: 1,
    pmgversion: 'pmg-api/9.0.6/9d8a6c0e7d1f2b34',
  })
  expect(await list('/nodes')).toEqual([{ node: 'pmg1' }])
})

test('[proxmox-api 3.7] in a cluster every member is asked, and one that is down has an error instead of figures', async () => {
  const { lab, list, ask } = await aMailGateway({ pmg: 3, pmgCluster: true })
  expect((await list('/nodes')).map(({ node }) => node)).toEqual(['pmg1', 'pmg2', 'pmg3'])
  expect((await ask('/nodes/pmg3/status')).status).toBe(200)
  await lab.control.patchAppliance('pmg3', { online: false })
  const members = await list('/config/cluster/status')
  expect(members.map(({ type, conn_error: error }) => [type, typeof error])).toEqual([
    ['master', 'undefined'],
    ['node', 'undefined'],
    ['node', 'string'],
  ])
  expect(members[2]).not.toHaveProperty('uptime')
  expect(members[1]).toMatchObject({ loadavg: [expect.any(String), expect.any(String), expect.any(String)] })
  for (const path of ['status', 'backup', 'postfix/qshape']) {
    expect(await ask(`/nodes/pmg3/${path}`)).toMatchObject({ status: 595, text: 'No route to host' })
  }
  expect((await ask('/nodes/pmg9/status')).status).toBe(500)
})

test('members of a cluster count the same mail, gateways alone count their own', async () => {
  const bothCount = async (pmgCluster: boolean) => {
    const { askAt } = await aMailGateway({ pmg: 2, pmgCluster, now: () => noon })
    const [first, second] = [await askAt(0, '/statistics/mail'), await askAt(1, '/statistics/mail')]
    return JSON.stringify(first.data) === JSON.stringify(second.data)
  }
  expect(await bothCount(true)).toBe(true)
  expect(await bothCount(false)).toBe(false)
})

test('[proxmox-api 3.8] backups carry their time in their name', async () => {
  const { list } = await aMailGateway({ now: () => noon })
  const backups = await list('/nodes/pmg1/backup')
  expect(backups).toHaveLength(4)
  for (const { filename, timestamp } of backups) {
    const [, date, hex] = /^pmg-backup_(\d{4}_\d\d_\d\d)_([0-9A-F]+)\.tgz$/.exec(String(filename))!
    expect(Number.parseInt(hex!, 16)).toBe(timestamp)
    expect(new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)).toBe(date!.replaceAll('_', '-'))
  }
})
