import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connected, aSocket, heartbeat, flushMicrotasks, snapshot } from './fake-socket.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_767_268_800_000 }))
afterEach(() => void vi.useRealTimers())

describe('losing the connection', () => {
  test('ten seconds without a frame show Reconnecting', async () => {
    const { latest, sockets, connection, status } = await connected()
    await vi.advanceTimersByTimeAsync(6_000)
    latest().frame(heartbeat(1))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(status()).toBe('connected')
    await vi.advanceTimersByTimeAsync(1)
    expect(connection.get()).toMatchObject({ status: 'reconnecting', initialDataReceived: false })
    expect(sockets[0]!.closedWith).toBe('Reconnecting')
  })

  test('[spec 1 §9] attempts wait 1 s doubling to 30 s, 100 ms more for each failure', async () => {
    const { sockets, latest } = await connected()
    const waits = [1_000, 2_100, 4_200, 8_300, 16_400, 30_500, 30_600, 30_700, 30_800, 30_900, 31_000, 31_000]
    latest().lose()
    for (const wait of waits) {
      const before = sockets.length
      await vi.advanceTimersByTimeAsync(wait - 1)
      expect(sockets).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(sockets).toHaveLength(before + 1)
      latest().lose()
    }
  })

  test('five failures in a row show Disconnected while attempts go on', async () => {
    const { latest, sockets, status } = await connected()
    const seen: string[] = []
    for (const wait of [1_000, 2_100, 4_200, 8_300, 16_400, 30_500, 0]) {
      latest().lose()
      seen.push(status())
      await vi.advanceTimersByTimeAsync(wait)
    }
    expect(seen).toEqual([...Array<string>(5).fill('reconnecting'), 'disconnected', 'disconnected'])
    expect(sockets).toHaveLength(7)
  })

  test('backoff grows while the server accepts connections and closes them at once', async () => {
    const { socket, sockets, latest } = aSocket()
    socket.start()
    for (const wait of [1_000, 2_100, 4_200]) {
      latest().accept()
      latest().lose()
      const before = sockets.length
      await vi.advanceTimersByTimeAsync(wait - 1)
      expect(sockets).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(sockets).toHaveLength(before + 1)
    }
  })

  test('the first frame of a new connection resets the backoff', async () => {
    const { sockets, latest, status } = await connected()
    latest().lose()
    await vi.advanceTimersByTimeAsync(1_000)
    latest().lose()
    await vi.advanceTimersByTimeAsync(2_100)
    latest().accept()
    latest().frame(snapshot(1, 100))
    await flushMicrotasks()
    expect(status()).toBe('connected')
    latest().lose()
    const before = sockets.length
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sockets).toHaveLength(before + 1)
  })

  test('a connection without the subprotocol is refused', () => {
    const { socket, latest, warnings, status } = aSocket()
    socket.start()
    latest().accept('')
    expect(status()).toBe('reconnecting')
    expect(warnings[0]).toContain('pulse.delta.1')
  })

  test('Reconnect now opens at once and ends the wait', async () => {
    const { socket, sockets, latest, status } = await connected()
    latest().lose()
    socket.reconnectNow()
    expect(sockets).toHaveLength(2)
    expect(status()).toBe('reconnecting')
    socket.reconnectNow()
    expect(sockets).toHaveLength(2)
    latest().accept()
    latest().frame(snapshot(1, 100))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sockets).toHaveLength(2)
    expect(status()).toBe('connected')
  })

  test('wake reconnects at once, but only during a wait', async () => {
    const { socket, sockets, latest } = await connected()
    socket.wake()
    expect(sockets).toHaveLength(1)
    latest().lose()
    socket.wake()
    expect(sockets).toHaveLength(2)
    socket.wake()
    expect(sockets).toHaveLength(2)
  })

  test('a stopped socket stays closed', async () => {
    const { socket, sockets } = await connected()
    socket.stop()
    socket.wake()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(sockets).toHaveLength(1)
  })
})

describe('refusals', () => {
  const refusals = (all: ReturnType<typeof aSocket>) => all.connection.get().refusals

  test('count each attempt that never opened once', async () => {
    const all = aSocket()
    all.socket.start()
    all.latest().dispatchEvent(new Event('error'))
    all.latest().lose()
    expect(refusals(all)).toBe(1)
    await vi.advanceTimersByTimeAsync(1_000)
    all.latest().lose()
    expect(refusals(all)).toBe(2)
  })

  test.each([
    { code: 4401, times: 1 },
    { code: 1001, times: 0 },
    { code: 1006, times: 0 },
  ])('an open connection closed with $code counts $times, and is opened again', async ({ code, times }) => {
    const all = await connected()
    all.latest().lose(code)
    expect(refusals(all)).toBe(times)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(all.sockets).toHaveLength(2)
  })

  test('a start after signing in resets the backoff', async () => {
    const { socket, latest, sockets, connection } = await connected()
    for (let loss = 0; loss < 6; loss++) {
      latest().lose(4401)
      await vi.advanceTimersByTimeAsync(31_000)
    }
    socket.stop()
    socket.start()
    expect(connection.get()).toMatchObject({ status: 'connecting', initialDataReceived: false })
    latest().lose()
    const before = sockets.length
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sockets).toHaveLength(before + 1)
  })
})

describe('the recovery probe', () => {
  /** Stops midway through the 16 s wait after the fifth loss. */
  async function duringLongWait() {
    const all = await connected()
    for (const wait of [1_000, 2_100, 4_200, 8_300, 0]) {
      all.latest().lose()
      await vi.advanceTimersByTimeAsync(wait)
    }
    return { ...all, before: all.sockets.length }
  }

  test.each([0, 0.5, 1])('reconnects within 5 s after the server is back, jitter %d', async (chance) => {
    const all = await duringLongWait()
    all.setRandom(chance)
    await vi.advanceTimersByTimeAsync(2_600)
    expect(all.sockets).toHaveLength(all.before)
    all.setServerUp(true)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(all.sockets).toHaveLength(all.before + 1)
    all.latest().accept()
    all.latest().frame(snapshot(1, 100))
    await flushMicrotasks()
    expect(all.status()).toBe('connected')
    expect(all.connection.get().retryAt).toBeUndefined()
  })

  test('probes every 2.5 s, only during long waits', async () => {
    const all = await connected()
    for (const wait of [1_000, 2_100, 4_200]) {
      all.latest().lose()
      await vi.advanceTimersByTimeAsync(wait)
    }
    expect(all.probes).toEqual([])
    const lostAt = performance.now()
    all.latest().lose()
    await vi.advanceTimersByTimeAsync(8_200)
    expect(all.probes.map((at) => at - lostAt)).toEqual([0, 2_500, 5_000, 7_500])
    all.socket.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(all.probes).toHaveLength(4)
  })

  test('[R16] browsers that notice the server at the same time do not reconnect at the same time', async () => {
    const waits = new Set<number>()
    for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
      const all = await duringLongWait()
      all.setRandom(chance)
      all.setServerUp(true)
      await vi.advanceTimersByTimeAsync(2_500)
      waits.add(all.connection.get().retryAt ?? 0)
      all.socket.stop()
    }
    expect(waits.size).toBe(5)
  })

  test('a server that answers but refuses connections shortens one wait only', async () => {
    const all = await duringLongWait()
    all.setServerUp(true)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(all.sockets).toHaveLength(all.before + 1)
    all.latest().lose()
    await vi.advanceTimersByTimeAsync(30_400)
    expect(all.sockets).toHaveLength(all.before + 1)
    await vi.advanceTimersByTimeAsync(200)
    expect(all.sockets).toHaveLength(all.before + 2)
  })

  test('the page knows the time of the next attempt', async () => {
    const all = await connected()
    expect(all.connection.get().retryAt).toBeUndefined()
    all.latest().lose()
    expect(all.connection.get().retryAt).toBe(Date.now() + 1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(all.connection.get().retryAt).toBeUndefined()
  })
})
