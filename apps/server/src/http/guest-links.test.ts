import type { GuestMetadata } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { aLegacyFile } from '../transfer/fixtures.ts'
import { within } from '../../../../scripts/test-limits.ts'

const passphrase = 'a passphrase of some length'
let lab: Lab
let server: TestServer

beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 4, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(acceleratedClock(20, Date.now()))
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

/** A longer timeout, because accelerated time slows down on a busy machine. */
const until = <T>(probe: () => T | Promise<T>) =>
  vi.waitFor(probe, { timeout: within(120_000), interval: 50 })
const links = async () =>
  Object.values((await server.call('GET', '/api/guests/metadata')).body as Record<string, GuestMetadata>)
const guest = async (vmid: number) => {
  const { vms, containers } = (await server.call('GET', '/api/state')).body as Record<
    'vms' | 'containers',
    { id: string; vmid: number; node: string }[]
  >
  return [...vms, ...containers].find((one) => one.vmid === vmid)
}

test('[design §4] a link from an export of Pulse 4.x stays with its guest over a migration and a restart', async () => {
  const [cluster] = lab.clusters
  const [first] = cluster!.nodes
  const name = cluster!.name
  const { vmid } = lab.control.guest(100)
  const customUrl = 'https://127.0.0.1:8443/'
  const pve = {
    Name: name,
    Host: first!.url,
    TokenName: lab.credentials.tokenId,
    TokenValue: lab.credentials.tokenSecret,
    Fingerprint: first!.fingerprint,
    VerifySSL: true,
  }
  const data = aLegacyFile(
    {
      version: '4.1',
      nodes: { pveInstances: [pve] },
      guestMetadata: { [`${name}-${lab.control.guest(100).node}-${vmid}`]: { customUrl } },
    },
    passphrase,
  )
  expect((await server.call('POST', '/api/config/import', { passphrase, data })).status).toBe(200)
  const before = await until(async () => {
    const found = await guest(vmid)
    expect(found).toBeDefined()
    return found!
  })
  expect(await links()).toEqual([{ id: before.id, customUrl }])

  const target = cluster!.nodes.find((node) => node.name !== before.node)!.name
  lab.control.migrateGuest(vmid, target)
  const after = await until(async () => {
    const found = await guest(vmid)
    expect(found!.node).toBe(target)
    return found!
  })
  expect(await links()).toEqual([{ id: after.id, customUrl }])
  await server.restart()
  await until(async () => expect(await guest(vmid)).toBeDefined())
  expect(await links()).toEqual([{ id: after.id, customUrl }])
})
