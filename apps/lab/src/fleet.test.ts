import { expect, test } from 'vitest'
import { aLab, guestsIn } from './fixtures.ts'

test('a dead node is unreachable for clients, offline for members, and returns unchanged', async () => {
  const { lab, ask, guestPath } = await aLab()
  const guests = lab.control.guests().filter(({ node }) => node === 'pve2')
  await ask('/version', { node: 'pve2' })
  await lab.control.patchNode('pve2', { online: false })

  await expect(ask('/version', { node: 'pve2' })).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
  expect((await ask('/nodes')).data).toContainEqual(
    expect.objectContaining({ node: 'pve2', status: 'offline' }),
  )
  expect((await ask('/cluster/status')).data).toContainEqual(
    expect.objectContaining({ name: 'pve2', online: 0 }),
  )
  const resources = await ask('/cluster/resources')
  const known = guestsIn(resources)
  for (const { vmid, kind } of guests) {
    expect(known.get(vmid)).toEqual({
      id: `${kind}/${vmid}`,
      type: kind,
      vmid,
      node: 'pve2',
      status: 'unknown',
    })
  }
  expect(resources.data).toContainEqual(
    expect.objectContaining({ id: 'storage/pve2/local', status: 'unknown' }),
  )
  for (const path of ['/nodes/pve2/status', `${guestPath(guests[0]!.vmid)}/status/current`]) {
    expect(await ask(path)).toMatchObject({ status: 595, text: 'No route to host', body: '' })
  }
  expect((await ask('/nodes/pve2/rrddata?timeframe=hour')).status).toBe(200)

  await lab.control.patchNode('pve2', { online: true })
  expect((await ask('/version', { node: 'pve2' })).status).toBe(200)
  expect(guestsIn(await ask('/cluster/resources')).get(guests[0]!.vmid)!.status).not.toBe('unknown')
})

test('a dead member costs the wait for it', async () => {
  const { lab, ask } = await aLab({ giveUpMs: 100 })
  await lab.control.patchNode('pve3', { online: false })
  const began = performance.now()
  expect((await ask('/nodes/pve3/status')).status).toBe(595)
  expect(performance.now() - began).toBeGreaterThan(95)
})

test('an unknown node is another error than one that is down', async () => {
  const { ask } = await aLab({ nodes: 1, guests: 0 })
  const answer = await ask('/nodes/pve9/status')
  expect(answer).toMatchObject({ status: 500 })
  expect(answer.text).toContain("hostname lookup 'pve9' failed")
})

test('the status shows a lost quorum', async () => {
  const { lab, ask } = await aLab()
  lab.control.patchCluster({ quorate: false })
  expect((await ask('/cluster/status')).data).toContainEqual(
    expect.objectContaining({ type: 'cluster', quorate: 0 }),
  )
})

test('a renewed certificate is used for the next answer, in resumed sessions too', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 0 })
  const before = (await ask('/version')).fingerprint
  const renewed = await lab.control.renewCertificate('pve1')
  expect(renewed).not.toBe(before)
  const attempts = [await ask('/version').catch(() => ask('/version')), await ask('/version')]
  expect(attempts.map(({ fingerprint }) => fingerprint)).toEqual([renewed, renewed])
  expect(lab.clusters[0]!.nodes[0]!.fingerprint).toBe(renewed)
})
