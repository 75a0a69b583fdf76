import { signedOutCode } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { AppError } from '../app-error.ts'
import { connectLive } from '../testing/live-client.ts'
import { aPrincipal, type GivenHub, startHub } from './fixtures.ts'
import { messageNeeds, socketNeed } from './messages.ts'

let given: GivenHub
let isCurrent: boolean
beforeEach(async () => {
  given = await startHub()
  comesIn()
})
afterEach(() => given.stop())

/** The next client is anna, with the rights of a viewer until they end. */
function comesIn() {
  isCurrent = true
  given.next.visitor = { principal: aPrincipal({ isCurrent: () => isCurrent }), client: '192.0.2.1' }
}

const until = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })

describe('[S2] the socket is a route too', () => {
  test('who has no right is refused before the upgrade, with the reason', async () => {
    given.next.refusal = new AppError('authentication_required', 'Authentication required')
    await expect(connectLive(given.url)).rejects.toThrow('401')
    given.next.refusal = new AppError('origin_refused', 'not from here')
    await expect(connectLive(given.url)).rejects.toThrow('403')
  })

  test('an upgrade elsewhere is not found', async () => {
    await expect(connectLive(`${given.url}/elsewhere`)).rejects.toThrow('404')
  })

  test('the socket and every message type declare what they need', () => {
    for (const need of [socketNeed, ...Object.values(messageNeeds)]) {
      expect(need).toEqual({ access: 'user', scope: 'monitoring:read' })
    }
  })

  test('[S3] a user who loses the right is cut off at once: no timer and no heartbeat has to run for it', async () => {
    await given.stop()
    // the clock does not advance
    given = await startHub(fakeClock())
    comesIn()
    const [reading, silent] = await Promise.all([
      connectLive(given.url, { delta: true }),
      connectLive(given.url),
    ])
    await until(() => expect(reading.deltas).toHaveLength(1))
    isCurrent = false
    given.hub.revalidate()
    expect(await reading.closed).toEqual({ code: signedOutCode, reason: 'Signed out' })
    expect(await silent.closed).toMatchObject({ code: signedOutCode })
  })

  test('[S3] a message of a user whose right has ended is not answered', async () => {
    const client = await connectLive(given.url)
    isCurrent = false
    client.send({ type: 'requestData' })
    expect(await client.closed).toMatchObject({ code: signedOutCode })
    expect(client.texts).toEqual([])
  })

  test('what tells about the network goes to administrators alone', async () => {
    const viewer = await connectLive(given.url)
    given.next.visitor = { principal: aPrincipal({ role: 'admin' }), client: '192.0.2.1' }
    const admin = await connectLive(given.url)
    const event = {
      type: 'discovery_started',
      data: { scanning: true, subnet: 'auto', timestamp: 1 },
    } as const
    given.hub.publish(event)
    given.hub.publish({ type: 'node_deleted', data: { nodeType: 'pve' } })
    for (const client of [viewer, admin]) {
      await until(() => expect(client.texts.some(({ type }) => type === 'node_deleted')).toBe(true))
    }
    expect(admin.texts).toContainEqual(event)
    expect(viewer.texts).not.toContainEqual(event)
  })

  test('a stop says goodbye with 1001', async () => {
    const client = await connectLive(given.url, { delta: true })
    const closing = given.hub.close()
    expect(await client.closed).toMatchObject({ code: 1001 })
    await closing
  })
})
