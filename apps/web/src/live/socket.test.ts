import { recordKinds } from '@pulse/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connected, aSocket, heartbeat, rename, flushMicrotasks, snapshot } from './fake-socket.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_767_268_800_000 }))
afterEach(() => void vi.useRealTimers())

describe('frames', () => {
  test('a snapshot fills the store and counts as initial data; patches follow', async () => {
    const { latest, store, connection } = await connected()
    expect(connection.get()).toMatchObject({
      status: 'connected',
      initialDataReceived: true,
      lastUpdate: 1_767_268_800_000,
      dataChangedAt: performance.now(),
    })
    latest().frame(rename(1, 'new'))
    await flushMicrotasks()
    expect(store.get('guests', 'c:100')?.name).toBe('new')
  })

  test('connected alone is not initial data', () => {
    const { socket, latest, connection } = aSocket()
    socket.start()
    expect(connection.get().status).toBe('connecting')
    latest().accept()
    expect(connection.get()).toMatchObject({ status: 'connected', initialDataReceived: false })
  })

  test('frames apply in the order they came, however long each takes to inflate', async () => {
    const release = new Map<number, () => void>()
    const { socket, latest, store } = aSocket(
      (frame) => new Promise((done) => release.set(frame.rev, () => done(frame))),
    )
    socket.start()
    latest().accept()
    latest().frame(snapshot(1, 100))
    latest().frame(rename(1, 'second'))
    latest().frame(rename(2, 'third'))
    await flushMicrotasks()
    release.get(3)!()
    release.get(2)!()
    await flushMicrotasks()
    expect(store.ids('guests')).toEqual([])
    release.get(1)!()
    await flushMicrotasks()
    expect(store.get('guests', 'c:100')?.name).toBe('third')
  })

  const gapRule = 'a gap asks for a snapshot, once a second at most, and applies nothing until it comes'
  test.each([0, -3_600_000, 3_600_000])(`[R20] clock set by %i ms: ${gapRule}`, async (step) => {
    const { latest, store } = await connected()
    latest().frame(rename(7, 'lost'))
    await flushMicrotasks()
    vi.setSystemTime(Date.now() + step)
    latest().frame(rename(8, 'lost'))
    await flushMicrotasks()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(store.get('guests', 'c:100')?.name).toBe('vm 100')
    await vi.advanceTimersByTimeAsync(1_000)
    latest().frame(rename(9, 'lost'))
    await flushMicrotasks()
    expect(latest().sent).toHaveLength(2)
    latest().frame(snapshot(20, 101))
    latest().frame(rename(20, 'found'))
    await flushMicrotasks()
    expect(store.ids('guests')).toEqual(['c:101'])
    expect(store.get('guests', 'c:101')?.name).toBe('found')
  })

  test('[spec 1 §7] an unreadable frame is logged and ignored; the next one shows the gap', async () => {
    const { latest, warnings, status } = await connected()
    latest().dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(3) }))
    await flushMicrotasks()
    expect(warnings).toEqual(['Ignored an unreadable live frame'])
    latest().frame(rename(2, 'after'))
    await flushMicrotasks()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(status()).toBe('connected')
  })

  test('a frame that fails half-way is requested again', async () => {
    const { latest, warnings, store } = await connected()
    latest().frame({ ...rename(1, 'half'), set: { guests: { name: { i: [0] } } } })
    latest().frame(rename(2, 'after'))
    await flushMicrotasks()
    expect(warnings).toEqual(['Ignored an unreadable live frame'])
    expect(latest().sent).toEqual([{ type: 'requestData' }])
    expect(store.get('guests', 'c:100')?.name).toBe('vm 100')
  })

  test('a frame that the store rejected is requested again', async () => {
    const { latest, store } = await connected()
    const stop = store.onKind('guests', () => {
      throw new Error('a view broke')
    })
    latest().frame(rename(1, 'half'))
    await flushMicrotasks()
    stop()
    latest().frame(rename(2, 'after'))
    await flushMicrotasks()
    expect(latest().sent).toEqual([{ type: 'requestData' }])
  })

  test('a heartbeat updates lastUpdate but is no data change', async () => {
    const { latest, connection } = await connected()
    const { dataChangedAt } = connection.get()
    await vi.advanceTimersByTimeAsync(5_400)
    latest().frame(heartbeat(1))
    await flushMicrotasks()
    expect(connection.get()).toMatchObject({ dataChangedAt, lastUpdate: 1_767_268_805_000 })
  })

  test('a heartbeat runs no selector', async () => {
    const { latest, connection, store } = await connected()
    const selected = vi.fn<() => void>()
    connection.subscribe(selected)
    for (const kind of recordKinds()) store.onKind(kind, selected)
    await vi.advanceTimersByTimeAsync(5_000)
    latest().frame(heartbeat(1))
    await flushMicrotasks()
    expect(selected).not.toHaveBeenCalled()
  })

  test('messages of a replaced socket are ignored', async () => {
    const { socket, sockets, latest, store } = await connected()
    socket.reconnectNow()
    sockets[0]!.frame(rename(1, 'ghost'))
    latest().accept()
    latest().frame(snapshot(1, 100))
    await flushMicrotasks()
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

describe('slices', () => {
  test('a slice is requested at once and on every new connection while it has subscribers', async () => {
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

  test('the last unsubscribe drops the records of the slice and ends it at the server', async () => {
    const { socket, latest, store, connection } = await connected()
    const frame = { t: 'snapshot', s: 'backups', epoch: 'b', rev: 1 }
    const backup = { id: 'b', instance: 'p', node: 'n', filename: 'f', backupTime: '', size: 1, source: 's' }
    const bring = async () => {
      latest().frame({ ...frame, index: { pmgBackups: ['b'] }, state: { pmgBackups: [backup] } })
      await flushMicrotasks()
    }
    const first = socket.subscribeSlice('backups')
    const second = socket.subscribeSlice('backups')
    await bring()
    expect(connection.get().loadedSlices).toEqual(['backups'])
    first()
    expect(store.ids('pmgBackups')).toEqual(['b'])
    second()
    expect(connection.get().loadedSlices).toEqual([])
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', slices: ['live'] })
    expect(store.ids('pmgBackups')).toEqual([])
    await bring()
    expect(store.ids('pmgBackups')).toEqual([])
    expect(store.ids('guests')).toEqual(['c:100'])
  })
})
