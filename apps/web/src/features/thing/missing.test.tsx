// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { showThing } from './fake-thing.tsx'
import { within } from '../../../../../scripts/test-limits.ts'

const path = '/proxmox/guest/main%3A100'
const dayMs = 86_400_000
const hourMs = 3_600_000
const guest = aGuest({ source: 'main', vmid: 100, name: 'web', tags: 'production' })

interface Input {
  query: Record<string, unknown>
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 28) }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const went = () => ({ kind: 'guests', id: 'main:100', name: 'web', what: 'went', at: Date.now() - dayMs })
const frameWith = (index: string[], state: unknown[]) => ({
  at: 1,
  oldest: 0,
  frame: { index: { guests: index }, state: { guests: state } },
})

test('[M 3.3] a guest that was deleted stays readable: name, last state, charts and alerts', async () => {
  const asked: Record<string, unknown[]> = { state: [], alerts: [] }
  await showThing(path, {
    replies: {
      '/api/history/changes': { oldest: 0, changes: [went()] },
      '/api/history/state': ({ query }: Input) => {
        asked['state']!.push(query)
        return frameWith(['main:99', 'main:100'], [aGuest({ vmid: 99 }), guest])
      },
      '/api/alerts/history': ({ query }: Input) => {
        asked['alerts']!.push(query)
        return []
      },
      '/api/history/series': ({ query: { from, to } }: Input) => ({
        tier: 'raw',
        from,
        to,
        series: [
          {
            id: 'main:100',
            field: 'cpu',
            unit: 'ratio',
            points: [],
            gaps: [{ from, to, reason: 'stopped' }],
          },
        ],
      }),
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'web' })
  expect(document.title).toBe('web · Pulse')
  expect(screen.getByText('Deleted')).toBeDefined()
  expect(screen.getByText('production')).toBeDefined()
  expect(screen.getByText(', yesterday')).toBeDefined()
  expect(asked['state']).toEqual([{ at: went().at - 1, slice: 'live' }])
  expect(await screen.findByRole('group', { name: 'History of web' })).toBeDefined()
  // by the charts and by the list
  await vi.waitFor(() => expect(asked['alerts']!.length).toBeGreaterThan(1), { timeout: within(20_000) })
  expect(new Set(asked['alerts']!.map((query) => (query as Input['query'])['resourceId']))).toEqual(
    new Set([guest.id]),
  )
})

test('[M 3.3] its charts begin with its last day, because ranges that end now have nothing of it', async () => {
  const spans: Record<string, unknown>[] = []
  await showThing('/proxmox/guest/main%3A200', {
    replies: {
      '/api/history/changes': { changes: [{ ...went(), id: 'main:200' }] },
      '/api/history/series': ({ query }: Input) => {
        spans.push(query)
        return { tier: 'raw', from: query['from'], to: query['to'], series: [] }
      },
    },
  })
  await screen.findByRole('group', { name: 'History of web' })
  await vi.waitFor(() => expect(spans).toHaveLength(1), { timeout: within(20_000) })
  const { from, to } = spans[0] as { from: number; to: number }
  expect([from < went().at, went().at < to, to - from]).toEqual([true, true, dayMs])
})

test('[M 3.3] a page of changes without any may have a successor', async () => {
  await showThing(path, {
    replies: {
      '/api/history/changes': ({ query: { cursor } }: Input) =>
        cursor === '7' ? { changes: [went()] } : { changes: [], cursor: '7' },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'web' })).toBeDefined()
})

test('[M 3.3] without a note of its removal, its samples tell when it was there', async () => {
  const at = Date.now() - 5 * dayMs
  await showThing(path, {
    replies: {
      '/api/history/changes': { oldest: 0, changes: [] },
      '/api/history/series': ({ query: { from } }: Input) => ({
        series: [
          {
            points: [],
            gaps:
              (from as number) > at
                ? []
                : [
                    { from: 0, to: at - 1, reason: 'off' },
                    { from: at - 1, to: at, reason: 'stopped' },
                  ],
          },
        ],
      }),
      '/api/history/state': ({ query }: Input) =>
        query['at'] === at - 1 ? frameWith(['main:100'], [guest]) : frameWith([], []),
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'web' })
  expect(screen.getByText(', 5 days ago')).toBeDefined()
})

/** Answers with the last sample, as coarse as the tier that covers the time. */
const seriesWith =
  (times: readonly number[]) =>
  ({ query }: Input) => {
    const own = times.filter((at) => (query['from'] as number) <= at && at < (query['to'] as number))
    return { series: [{ points: own.map((at) => ({ at })), gaps: [] }] }
  }

const lastSampleAt =
  (at: number, asked: Input['query'][]) =>
  ({ query }: Input) => {
    asked.push(query)
    const [from, to] = [query['from'] as number, query['to'] as number]
    const widthMs = (to - from) / (query['points'] as number)
    const start = Math.floor(at / widthMs) * widthMs
    return { series: [{ points: start >= from && start < to ? [{ at: start }] : [], gaps: [] }] }
  }

test('[M 3.3] older than all states: by its number and its last sample, as long as any tier has one', async () => {
  const asked: Input['query'][] = []
  await showThing(path, {
    replies: {
      '/api/history/changes': { oldest: Date.now() - 14 * dayMs, changes: [] },
      '/api/history/series': lastSampleAt(Date.now() - 800 * dayMs, asked),
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Guest 100' })).toBeDefined()
  expect(screen.getByText(', 2 years ago')).toBeDefined()
})

test('[M 3.3] states that the settings keep for longer are searched as far back', async () => {
  const at = Date.now() - 40 * dayMs
  const states: unknown[] = []
  await showThing(path, {
    replies: {
      '/api/history/changes': { oldest: Date.now() - 90 * dayMs, changes: [] },
      '/api/history/series': lastSampleAt(at, []),
      '/api/history/state': ({ query }: Input) => {
        states.push(query['at'])
        return frameWith(['main:100'], [guest])
      },
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'web' })
  expect(states).toHaveLength(1)
  expect(Math.abs((states[0] as number) - at)).toBeLessThan(dayMs)
})

test.each([path, '/proxmox/guest', '/proxmox/guest/%E0%A4%A', '/proxmox/node/x'])(
  '[M 3.3] %s of nothing says so, and leads to the Overview',
  async (address) => {
    await showThing(address)
    await screen.findByRole('heading', { level: 2, name: /^(?:Guest|Node) not found$/ })
    expect(screen.getByRole('link', { name: 'Go to Overview' })).toBeDefined()
  },
)

test('[M 3.3] a history that cannot be loaded is not taken for an empty one; Retry asks again', async () => {
  let isUp = false
  await showThing(path, {
    replies: {
      '/api/history/changes': () => {
        if (!isUp) throw new Error('The history is not open.')
        return { oldest: 0, changes: [] }
      },
    },
  })
  await screen.findByText('The history is not open.')
  isUp = true
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Retry' })))
  expect(await screen.findByText('Guest not found')).toBeDefined()
})

test('[M 3.3] while its connection has not answered yet, it is awaited', async () => {
  const { calls } = await showThing(path, {
    records: { sources: { main: { name: 'main', kind: 'pve', health: 'unknown' } } },
  })
  expect(screen.getByText('No answer from Proxmox VE yet')).toBeDefined()
  expect(calls).not.toContain('/api/history/changes')
})

test('[M 3.3] a guest that comes back has its page again', async () => {
  const { live } = await showThing(path)
  await screen.findByText('Guest not found')
  await act(async () => live.put({ guests: { 'main:100': guest } }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('web')
})

describe('[M 3.4] in the past', () => {
  const then = Date.UTC(2026, 10, 20)
  const came = { ...went(), what: 'came', at: then + dayMs }
  const gone = { ...went(), at: then - dayMs }
  const inTime = ({ query }: Input) => ({
    oldest: 0,
    changes: [gone, came].filter(({ at }) => (query['from'] as number) <= at && at < (query['to'] as number)),
  })

  test('a guest that was created later did not exist yet, and is not called deleted', async () => {
    const { moveTo } = await showThing(path, {
      moment: gone.at - dayMs,
      replies: {
        '/api/history/changes': inTime,
        '/api/history/state': () => frameWith(['main:100'], [guest]),
      },
    })
    expect(await screen.findByText('Guest did not exist yet')).toBeDefined()
    expect(screen.queryByText('Deleted')).toBeNull()
    await moveTo(then)
    expect(await screen.findByText('Deleted')).toBeDefined()
    expect(screen.getByText('This guest had been deleted by this time.', { exact: false })).toBeDefined()
    expect(screen.getByText(', yesterday')).toBeDefined()
  })

  test('a guest that has samples before the log of changes begins, and after, is not called deleted', async () => {
    await showThing(path, {
      moment: then,
      replies: {
        '/api/history/changes': { oldest: then, changes: [] },
        '/api/history/series': seriesWith([then - 10_000, then + 10_000]),
      },
    })
    expect(await screen.findByText('Guest did not exist yet')).toBeDefined()
  })

  test('a guest that was away within the log has its history: its connection was removed and added again', async () => {
    await showThing(path, {
      moment: then,
      replies: {
        '/api/history/changes': { oldest: then - 9 * dayMs, changes: [] },
        '/api/history/series': seriesWith([then - hourMs, then + hourMs]),
        '/api/history/state': () => frameWith(['main:100'], [guest]),
      },
    })
    expect(await screen.findByText('Deleted')).toBeDefined()
  })

  test('a guest whose samples begin later did not exist yet', async () => {
    await showThing(path, {
      moment: then,
      replies: { '/api/history/series': lastSampleAt(then + dayMs, []) },
    })
    expect(await screen.findByText('Guest did not exist yet')).toBeDefined()
  })

  test('one that never existed is not found', async () => {
    await showThing(path, { moment: then })
    expect(await screen.findByText('Guest not found')).toBeDefined()
  })
})
