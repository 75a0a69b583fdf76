import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connected, given, heartbeat, rename, settle, snapshot } from './fake-socket.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_767_268_800_000 }))
afterEach(() => void vi.useRealTimers())

describe('frames', () => {
  test('a snapshot fills the store and counts as initial data; patches follow', async () => {
    const { latest, store, connection } = await connected()
    expect(connection.get()).toMatchObject({
      status: 'connected',
      initialDataReceived: true,
      lastUpdate: 1_767_268_800_000,
      freshAt: performance.now(),
    })
    latest().frame(rename(1, 'new'))
    await settle()
    expect(store.get('guests', 'c:100')?.name).toBe('new')
  })

  test('connected alone is not initial data', () => {
    const { socket, latest, connection } = given()
    socket.start()
    expect(connection.get().status).toBe('connecting')
    latest().accept()
    expect(connection.get()).toMatchObject({ status: 'connected', initialDataReceived: false })
  })

  test('frames apply in the order they came, however long each takes to inflate', async () => {
    const release = new Map<number, () => void>()
    const { socket, latest, store } = given(
      (frame) => new Promise((done) => release.set(frame.rev, () => done(frame))),
    )
    socket.start()
    latest().accept()
    latest().frame(snapshot(1, 100))
    latest().frame(rename(1, 'second'))
    latest().frame(rename(2, 'third'))
    await settle()
    release.get(3)!()
    release.get(2)!()
    await settle()
    expect(store.ids('guests')).toEqual([])
    release.get(1)!()
    await settle()
    expect(store.get('guests', 'c:100')?.name).toBe('third')
  })

  const gapRule = 'a gap asks for a snapshot, once a second at most, and applies nothing until it comes'
  test.each([0, -3_600_000, 3_600_000])(`[R20] clock set by %i ms: ${gapRule}`, async (step) => {
    const { latest, store } = await connected()
    latest().frame(rename(7, 'lost'))
    await settle()
    vi.setSystemTime(Date.now() + step)
    latest().frame(rename(8, 'lost'))
    await settle()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(store.get('guests', 'c:100')?.name).toBe('vm 100')
    await vi.advanceTimersByTimeAsync(1_000)
    latest().frame(rename(9, 'lost'))
    await settle()
    expect(latest().sent).toHaveLength(2)
    latest().frame(snapshot(20, 101))
    latest().frame(rename(20, 'found'))
    await settle()
    expect(store.ids('guests')).toEqual(['c:101'])
    expect(store.get('guests', 'c:101')?.name).toBe('found')
  })

  test('[spec 1 §7] an unreadable frame is logged and ignored; the next one shows the gap', async () => {
    const { latest, warnings, status } = await connected()
    latest().dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(3) }))
    await settle()
    expect(warnings).toEqual(['Ignored an unreadable live frame'])
    latest().frame(rename(2, 'after'))
    await settle()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(status()).toBe('connected')
  })

  test('a frame that fails half-way is asked for again, not taken as read', async () => {
    const { latest, warnings, store } = await connected()
    latest().frame({ ...rename(1, 'half'), set: { guests: { name: { i: [0] } } } })
    latest().frame(rename(2, 'after'))
    await settle()
    expect(warnings).toEqual(['Ignored an unreadable live frame'])
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(store.get('guests', 'c:100')?.name).toBe('vm 100')
  })

  test('a frame that the store could not take is asked for again too', async () => {
    const { latest, store } = await connected()
    const stop = store.onKind('guests', () => {
      throw new Error('a view broke')
    })
    latest().frame(rename(1, 'half'))
    await settle()
    stop()
    latest().frame(rename(2, 'after'))
    await settle()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
  })

  test('a heartbeat renews "last update" and is not fresh data', async () => {
    const { latest, connection } = await connected()
    const { freshAt } = connection.get()
    await vi.advanceTimersByTimeAsync(5_400)
    latest().frame(heartbeat(1))
    await settle()
    expect(connection.get()).toMatchObject({ freshAt, lastUpdate: 1_767_268_805_000 })
  })

  test('what an old socket still delivers does not count', async () => {
    const { socket, sockets, latest, store } = await connected()
    socket.reconnectNow()
    sockets[0]!.frame(rename(1, 'ghost'))
    latest().accept()
    latest().frame(snapshot(1, 100))
    await settle()
    expect(store.get('guests', 'c:100')?.name).toBe('vm 100')
  })
})

describe('events', () => {
  test('a known event reaches its listeners', async () => {
    const { latest, events } = await connected()
    const heard: unknown[] = []
    events.on('alertResolved', ({ data }) => heard.push(data.alertId))
    latest().text({ type: 'alertResolved', data: { alertId: 'a-1' }, timestamp: '2026-01-01T00:00:00Z' })
    expect(heard).toEqual(['a-1'])
  })

  test.each(['not json', '{"type":"nobody-knows"}', '{"type":"alertResolved"}', '[]', ''])(
    '[spec 1 §7] %j is logged and ignored',
    async (text) => {
      const { latest, warnings, status } = await connected()
      latest().text(text)
      expect(warnings).toEqual(['Ignored an unreadable live message'])
      expect(status()).toBe('connected')
    },
  )

  test('[spec 1 §7] a ping is answered with a pong', async () => {
    const { latest } = await connected()
    latest().text({ type: 'ping', data: { timestamp: 1 } })
    expect(latest().sent).toEqual([{ type: 'pong', data: { timestamp: Date.now() } }])
  })

  test('[spec 1 §7] pings go out every 30 s', async () => {
    const { latest } = await connected()
    for (let second = 0; second < 90; second += 5) {
      await vi.advanceTimersByTimeAsync(5_000)
      latest().frame(heartbeat(1))
    }
    expect(latest().sent.map(({ type }) => type)).toEqual(['ping', 'ping', 'ping'])
    expect(latest().sent[0]).toMatchObject({ data: { timestamp: expect.any(Number) as number } })
  })
})

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

  test('a server that accepts and hangs up at once is not hammered', async () => {
    const { socket, sockets, latest } = given()
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

  test('the first frame of a new connection forgives earlier failures', async () => {
    const { sockets, latest, status } = await connected()
    latest().lose()
    await vi.advanceTimersByTimeAsync(1_000)
    latest().lose()
    await vi.advanceTimersByTimeAsync(2_100)
    latest().accept()
    latest().frame(snapshot(1, 100))
    await settle()
    expect(status()).toBe('connected')
    latest().lose()
    const before = sockets.length
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sockets).toHaveLength(before + 1)
  })

  test('an answer without the protocol is no connection', () => {
    const { socket, latest, warnings, status } = given()
    socket.start()
    latest().accept('')
    expect(status()).toBe('reconnecting')
    expect(warnings[0]).toContain('pulse.delta.1')
  })

  test('Reconnect now opens at once and drops the wait', async () => {
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

  test('waking tries at once, but only while waiting', async () => {
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

describe('being turned away', () => {
  const turnedAway = (all: ReturnType<typeof given>) => all.connection.get().turnedAway

  test('counts every attempt that never opened, once each', async () => {
    const all = given()
    all.socket.start()
    all.latest().dispatchEvent(new Event('error'))
    all.latest().lose()
    expect(turnedAway(all)).toBe(1)
    await vi.advanceTimersByTimeAsync(1_000)
    all.latest().lose()
    expect(turnedAway(all)).toBe(2)
  })

  test.each([
    { code: 4401, times: 1 },
    { code: 1001, times: 0 },
    { code: 1006, times: 0 },
  ])('an open connection closed with $code counts $times, and is opened again', async ({ code, times }) => {
    const all = await connected()
    all.latest().lose(code)
    expect(turnedAway(all)).toBe(times)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(all.sockets).toHaveLength(2)
  })

  test('started again, after signing in, the connection is a new one', async () => {
    const { socket, latest, sockets, connection } = await connected()
    for (let lost = 0; lost < 6; lost++) {
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

describe('slices', () => {
  test('the backups slice is asked for now and on every new connection while somebody wants it', async () => {
    const { socket, latest } = await connected()
    const subscribe = { type: 'subscribe', slices: ['live', 'backups'] }
    const release = socket.subscribeSlice('backups')
    expect(latest().sent).toEqual([subscribe])
    socket.reconnectNow()
    latest().accept()
    expect(latest().sent).toEqual([subscribe])
    release()
    socket.reconnectNow()
    latest().accept()
    expect(latest().sent).toEqual([])
  })

  test('what a slice brought is forgotten with the last who wanted it, and ends at the server', async () => {
    const { socket, latest, store } = await connected()
    const frame = { t: 'snapshot', s: 'backups', epoch: 'b', rev: 1 }
    const backup = { id: 'b', instance: 'p', node: 'n', filename: 'f', backupTime: '', size: 1, source: 's' }
    const bring = async () => {
      latest().frame({ ...frame, index: { pmgBackups: ['b'] }, state: { pmgBackups: [backup] } })
      await settle()
    }
    const first = socket.subscribeSlice('backups')
    const second = socket.subscribeSlice('backups')
    await bring()
    first()
    expect(store.ids('pmgBackups')).toEqual(['b'])
    second()
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', slices: ['live'] })
    expect(store.ids('pmgBackups')).toEqual([])
    await bring()
    expect(store.ids('pmgBackups')).toEqual([])
    expect(store.ids('guests')).toEqual(['c:100'])
  })
})

describe('a server that was away for long', () => {
  /** In the middle of the wait of 16 s after the fifth loss. */
  async function waiting() {
    const all = await connected()
    for (const wait of [1_000, 2_100, 4_200, 8_300, 0]) {
      all.latest().lose()
      await vi.advanceTimersByTimeAsync(wait)
    }
    return { ...all, before: all.sockets.length }
  }

  test.each([0, 0.5, 1])('is connected to within 5 s of its return, jitter %d', async (chance) => {
    const all = await waiting()
    all.chance(chance)
    await vi.advanceTimersByTimeAsync(2_600)
    expect(all.sockets).toHaveLength(all.before)
    all.serverAnswers(true)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(all.sockets).toHaveLength(all.before + 1)
    all.latest().accept()
    all.latest().frame(snapshot(1, 100))
    await settle()
    expect(all.status()).toBe('connected')
    expect(all.connection.get().retryAt).toBeUndefined()
  })

  test('is looked for every 2.5 s, only during long waits', async () => {
    const all = await connected()
    for (const wait of [1_000, 2_100, 4_200]) {
      all.latest().lose()
      await vi.advanceTimersByTimeAsync(wait)
    }
    expect(all.looks).toEqual([])
    const lostAt = performance.now()
    all.latest().lose()
    await vi.advanceTimersByTimeAsync(8_200)
    expect(all.looks.map((at) => at - lostAt)).toEqual([0, 2_500, 5_000, 7_500])
    all.socket.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(all.looks).toHaveLength(4)
  })

  test('[R16] those who see it in one instant do not come back in one', async () => {
    const waits = new Set<number>()
    for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
      const all = await waiting()
      all.chance(chance)
      all.serverAnswers(true)
      await vi.advanceTimersByTimeAsync(2_500)
      waits.add(all.connection.get().retryAt ?? 0)
      all.socket.stop()
    }
    expect(waits.size).toBe(5)
  })

  test('one that answers and yet refuses the connection is not tried more often than once besides', async () => {
    const all = await waiting()
    all.serverAnswers(true)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(all.sockets).toHaveLength(all.before + 1)
    all.latest().lose()
    await vi.advanceTimersByTimeAsync(30_400)
    expect(all.sockets).toHaveLength(all.before + 1)
    await vi.advanceTimersByTimeAsync(200)
    expect(all.sockets).toHaveLength(all.before + 2)
  })

  test('when the next try is due is known to the page', async () => {
    const all = await connected()
    expect(all.connection.get().retryAt).toBeUndefined()
    all.latest().lose()
    expect(all.connection.get().retryAt).toBe(Date.now() + 1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(all.connection.get().retryAt).toBeUndefined()
  })
})
