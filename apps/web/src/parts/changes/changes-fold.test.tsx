// @vitest-environment happy-dom
import { getHistoryChanges, type HistoryChange } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { formatMoment } from '../../lib/format.ts'
import { renderInApp } from '../fake-app.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChangesFold } from './changes-fold.tsx'

afterEach(cleanup)

const now = Date.now()
const change = (minutesAgo: number): HistoryChange => ({
  at: now - minutesAgo * 60_000,
  kind: 'storage',
  id: 'main:pve1:local',
  name: 'local',
  what: 'status',
  from: 'available',
  to: 'inactive',
})

const local = { kind: 'storage', id: 'main:pve1:local', name: 'local' } as const

async function show(reply: unknown, page = <ChangesFold {...local} />) {
  const asked: Record<string, unknown>[] = []
  await renderInApp(page, {
    replies: {
      [getHistoryChanges.path]: ({ query }: { query: Record<string, unknown> }) => {
        asked.push(query)
        return typeof reply === 'function' ? (reply(query) as unknown) : reply
      },
    },
  })
  const open = async () => {
    const details = screen.getByText('Changes').closest('details')!
    details.open = true
    await act(async () => void fireEvent(details, new Event('toggle')))
    return screen.findByRole('group', { name: 'Changes of local' }, { timeout: within(20_000) })
  }
  return { asked, open }
}

test('[M 3.5] the newest changes of a thing are loaded when its fold opens; all of them are one click away', async () => {
  const { asked, open } = await show({ changes: [1, 2, 3].map(change), cursor: '7' })
  expect(asked).toEqual([])
  const group = await open()
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ kind: 'storage', id: 'main:pve1:local', limit: 3 })
  expect(group.textContent.match(/Not available: inactive/g)).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe(
    '/proxmox/changes?range=month&kind=storage&id=main%3Apve1%3Alocal',
  )
})

test('[M 3.5] a card has as many as fit on it, also after a fold of the same thing had fewer', async () => {
  function Page() {
    const [isCard, setCard] = useState(false)
    return (
      <>
        <button onClick={() => setCard(true)}>Open page</button>
        {isCard ? <ChangesCard {...local} /> : <ChangesFold {...local} />}
      </>
    )
  }
  const all = Array.from({ length: 12 }, (_, n) => change(n + 1))
  const { open } = await show(
    ({ limit }: { limit: number }) => ({ changes: all.slice(0, limit), ...(limit < 12 && { cursor: '1' }) }),
    <Page />,
  )
  expect((await open()).textContent.match(/Not available/g)).toHaveLength(3)
  await act(async () => void fireEvent.click(screen.getByText('Open page')))
  const card = await screen.findByRole('group', { name: 'Changes of local' }, { timeout: within(20_000) })
  expect(card.textContent.match(/Not available/g)).toHaveLength(12)
})

test('[M 3.5] without any it says since when', async () => {
  const oldest = now - 14 * 86_400_000
  const { open } = await show({ changes: [], oldest })
  expect((await open()).textContent).toBe(
    `No changes since ${formatMoment(oldest)}, when the log of changes begins.`,
  )
  cleanup()
  const older = await show({ changes: [], oldest: now - 60 * 86_400_000 })
  expect((await older.open()).textContent).toBe('No changes in the last 30 days.')
})

describe('[M 3.5] an answer that ends early', () => {
  const group = () => screen.findByRole('group', { name: 'Changes of local' }, { timeout: within(20_000) })
  const endless = () => {
    let answers = 0
    return () => ({ changes: [], oldest: now - 14 * 86_400_000, cursor: `${++answers}` })
  }

  test('is followed by the next, up to the changes of the thing', async () => {
    const { asked, open } = await show(({ cursor }: { cursor?: string }) =>
      cursor === '5' ? { changes: [change(1), change(2)] } : { changes: [], cursor: cursor ? '5' : '9' },
    )
    const shown = await open()
    expect(shown.textContent.match(/Not available: inactive/g)).toHaveLength(2)
    expect(shown.textContent).not.toContain('Older changes')
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '9', '5'])
  })

  test('never makes a fold say that there are no changes', async () => {
    const { asked, open } = await show(endless())
    expect((await open()).textContent).toBe('No changes found so far. Older changes are not shown.')
    expect(asked).toHaveLength(7)
  })

  test('makes a fold with fewer changes than it has room for say that older ones are not shown', async () => {
    const answer = endless()
    const { open } = await show(({ cursor }: { cursor?: string }) => ({
      ...answer(),
      ...(cursor === undefined && { changes: [change(1)] }),
    }))
    expect((await open()).textContent).toMatch(/Not available: inactive.*Older changes are not shown\.$/)
  })

  test('makes a card offer to search on, and say that there are none only at the end', async () => {
    const answer = endless()
    let isLast = false
    await show(() => (isLast ? { changes: [] } : answer()), <ChangesCard {...local} />)
    expect((await group()).textContent).toContain(
      'No changes found so far. Show more to search older changes.',
    )
    isLast = true
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show more' })))
    expect((await group()).textContent).toMatch(/^No changes since/)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })
})

describe('[M 3.5] while a card is open', () => {
  const minute = 60_000
  const opened = Date.now()
  const at = (ms: number, to: string): HistoryChange => ({ ...change(0), at: ms, to })
  const group = () => screen.findByRole('group', { name: 'Changes of local' }, { timeout: within(20_000) })
  const shown = async () =>
    [...(await group()).textContent.matchAll(/Not available: (late|old|fresh)/g)].map(([, to]) => to)

  async function open(log: HistoryChange[], behind = 0) {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: opened })
    onTestFinished(() => void vi.useRealTimers())
    const state = { oldest: opened - 60 * 86_400_000, isBusy: false }
    const { asked } = await show(
      ({ from, to }: { from: number; to: number }) => ({
        now: Date.now() - behind,
        oldest: state.oldest,
        changes: log.filter((one) => one.at >= from && one.at < to),
        ...(state.isBusy && { cursor: '1' }),
      }),
      <ChangesCard {...local} />,
    )
    await group()
    return { asked, state, pass: () => act(() => vi.advanceTimersByTimeAsync(minute)) }
  }

  test('only what has happened since is looked for, and stands above what is known', async () => {
    const log = [at(opened - 3 * minute, 'late'), at(opened - 86_400_000, 'old')]
    const { asked, pass } = await open(log)
    expect(await shown()).toEqual(['late', 'old'])
    log.unshift(at(opened + 30_000, 'fresh'))
    await pass()
    expect(await shown()).toEqual(['fresh', 'late', 'old'])
    expect(asked).toHaveLength(2)
    expect(Number(asked[1]!['from']) - opened).toBeGreaterThan(-15 * minute)
    expect(asked[1]!['id']).toBe(local.id)
  })

  test('what has happened since is found although the clock of the browser is an hour ahead', async () => {
    const hour = 60 * minute
    const log = [at(opened - hour - 3 * minute, 'late'), at(opened - 86_400_000, 'old')]
    const { pass } = await open(log, hour)
    log.unshift(at(opened - hour + 30_000, 'fresh'))
    await pass()
    expect(await shown()).toEqual(['fresh', 'late', 'old'])
  })

  test.each(['came', 'renamed'] as const)(
    'nothing is left of a guest whose VMID another one has now, which %s',
    async (what) => {
      const log = [at(opened - 3 * minute, 'late'), at(opened - 86_400_000, 'old')]
      const { pass } = await open(log)
      expect(await shown()).toEqual(['late', 'old'])
      // the answers are about the newest thing of that id
      log.splice(0, 2, at(opened + 20_000, 'fresh'), { ...at(opened + 10_000, 'web'), what })
      await pass()
      expect(await shown()).toEqual(['fresh'])
    },
  )

  test.each([
    ['the log begins elsewhere', { oldest: opened - 10 * minute }],
    ['more happened than a page has', { isBusy: true }],
  ])('all is read again when %s', async (_, change) => {
    const log = [at(opened - 3 * minute, 'late'), at(opened - 86_400_000, 'old')]
    const { asked, state, pass } = await open(log)
    Object.assign(state, change)
    await pass()
    const full = asked.filter(({ from }) => Number(from) < opened - 86_400_000)
    expect(full.length).toBeGreaterThan(1)
  })
})
