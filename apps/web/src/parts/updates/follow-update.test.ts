import type { UpdateStatus } from '@pulse/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followUpdate, healthDelayMs, type UpdatePhase } from './follow-update.ts'

const of = (status: UpdateStatus['status'], over: Partial<UpdateStatus> = {}): UpdateStatus => ({
  status,
  progress: 10,
  message: status,
  updatedAt: '2026-11-23T01:00:00Z',
  ...over,
})

/** A server with answers that the test sets; `undefined`: no answer. */
function setup() {
  const server = { status: of('downloading') as UpdateStatus | Error, healthy: true }
  const asked: string[] = []
  const phases: UpdatePhase[] = []
  let reloads = 0
  const following = followUpdate({
    async askStatus() {
      asked.push('status')
      if (server.status instanceof Error) throw server.status
      return server.status
    },
    async isHealthy() {
      asked.push('health')
      return server.healthy
    },
    isRefused: (error) => error instanceof Error && error.message === 'refused',
    show: (phase) => phases.push(phase),
    reload: () => void reloads++,
  })
  return { ...following, server, asked, shown: () => phases.at(-1)!, reloads: () => reloads }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const away = new Error('away')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[spec 3 §9] the status is polled every 2 seconds', async () => {
  const { asked, shown, stop } = setup()
  await pass(0)
  expect(asked).toEqual(['status'])
  expect(shown()).toMatchObject({ step: 'updating', status: { status: 'downloading' } })
  await pass(1_999)
  expect(asked).toHaveLength(1)
  await pass(1)
  expect(asked).toHaveLength(2)
  await pass(4_000)
  expect(asked).toEqual(['status', 'status', 'status', 'status'])
  stop()
  await pass(10_000)
  expect(asked).toHaveLength(4)
})

test('[spec 3 §9] the back-off is 2 s doubling per attempt, at most 15 s, its exponent at most 3', () => {
  expect([0, 1, 2, 3, 4, 50].map(healthDelayMs)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
})

describe('[spec 3 §4] it waits for the restart', () => {
  test.each([
    { when: 'the status says restarting', status: of('restarting') },
    { when: 'the status cannot be had', status: away },
  ])('when $when', async ({ status }) => {
    const { server, shown, asked } = setup()
    await pass(0)
    Object.assign(server, { status, healthy: false })
    await pass(2_000)
    expect(shown().step).toBe('restarting')
    asked.length = 0
    await pass(1_999)
    expect(asked).toEqual([])
    await pass(1)
    expect(asked).toEqual(['health'])
    await pass(4_000 + 8_000 + 15_000 + 15_000)
    expect(asked).toEqual(['health', 'health', 'health', 'health', 'health'])
  })

  test('polls until the new version is healthy, then reloads once', async () => {
    const { server, reloads, asked } = setup()
    await pass(0)
    Object.assign(server, { status: away, healthy: false })
    await pass(4_000)
    Object.assign(server, { status: of('completed'), healthy: true })
    await pass(4_000)
    expect(reloads()).toBe(1)
    asked.length = 0
    await pass(60_000)
    expect([reloads(), asked]).toEqual([1, []])
  })

  test('keeps polling while a healthy server still reports a running update', async () => {
    const { server, reloads, shown } = setup()
    await pass(0)
    server.status = of('restarting', { progress: 95 })
    await pass(10_000)
    expect([reloads(), shown().step, shown().status?.progress]).toEqual([0, 'restarting', 95])
    server.status = of('completed')
    await pass(2_000)
    expect(reloads()).toBe(1)
  })

  test('a rollback shows the reason and does not reload', async () => {
    const { server, reloads, shown } = setup()
    await pass(0)
    Object.assign(server, { status: away, healthy: false })
    await pass(4_000)
    const failed = of('error', { error: 'The new version did not answer.' })
    Object.assign(server, { status: failed, healthy: true })
    await pass(4_000)
    expect(shown()).toEqual({ step: 'finished', failed: true, status: failed })
    expect(reloads()).toBe(0)
  })

  test('a reload follows when the status is refused', async () => {
    const { server, reloads } = setup()
    await pass(0)
    Object.assign(server, { status: new Error('refused'), healthy: true })
    await pass(4_000)
    expect(reloads()).toBe(1)
  })
})

describe('[spec 3 §4] after the live connection has come back', () => {
  test('[spec 3 §9] health is checked after 1 second, then the page reloads', async () => {
    const { server, asked, reloads, reconnected } = setup()
    await pass(0)
    Object.assign(server, { status: away, healthy: false })
    await pass(2_000 + 2_000 + 4_000)
    Object.assign(server, { status: of('completed'), healthy: true })
    asked.length = 0
    reconnected()
    await pass(999)
    expect(asked).toEqual([])
    await pass(1)
    expect(asked).toEqual(['health', 'status'])
    expect(reloads()).toBe(1)
  })

  test('a running update continues', async () => {
    const { reconnected, reloads, shown } = setup()
    await pass(0)
    reconnected()
    await pass(10_000)
    expect([reloads(), shown().step]).toEqual([0, 'updating'])
  })
})

describe('[spec 3 §4] it is finished', () => {
  test.each([
    { status: of('completed'), failed: false },
    { status: of('idle'), failed: false },
    { status: of('error', { error: 'The signature does not fit.' }), failed: true },
  ])('on $status.status, failed: $failed', async ({ status, failed }) => {
    const { server, shown, asked, reloads } = setup()
    await pass(0)
    server.status = status
    await pass(2_000)
    expect(shown()).toEqual({ step: 'finished', failed, status })
    asked.length = 0
    await pass(60_000)
    expect([asked, reloads()]).toEqual([[], 0])
  })

  test('also when an event reports it first; later statuses are ignored', async () => {
    const { onStatus, shown } = setup()
    await pass(0)
    onStatus(of('applying', { progress: 80 }))
    expect(shown().status?.progress).toBe(80)
    onStatus(of('error'))
    onStatus(of('downloading'))
    expect(shown()).toMatchObject({ step: 'finished', failed: true })
  })
})
