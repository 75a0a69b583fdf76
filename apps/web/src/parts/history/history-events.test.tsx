// @vitest-environment happy-dom
import type { AlertHistoryEntry, ChangeWord } from '@pulse/contract'
import { cleanup, screen, within as inside } from '@testing-library/react'
import { aBackupRun, anAlert, aPbsBackup } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { showHistory, steady } from './fake-history.tsx'
import { now } from './fixtures.ts'
import { captions, charts, choose, click, hour, nextId, pass, press, viewTest } from './view-steps.ts'

viewTest()

describe('[M 3.1] events', () => {
  const change = (what: ChangeWord, at: number, more = {}) => ({
    at,
    kind: 'guests',
    id: 'x',
    name: 'web',
    what,
    ...more,
  })
  const listed = async () =>
    inside(await screen.findByRole('list', { name: 'Events' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  test('reboots and migrations are named below, in the text of each chart, and in the table', async () => {
    const id = nextId()
    const { changeCalls, backupCalls } = await showHistory({
      id,
      changes: () => [
        change('restarted', now - 600_000),
        change('moved', now - 900_000, { from: 'pve1', to: 'pve2' }),
      ],
    })
    await charts()
    const { from, to, asOf, ...asked } = changeCalls[0] as Record<string, number>
    expect(asked).toEqual({ kind: 'guests', id, what: 'started,stopped,restarted,moved', limit: 100 })
    const ofBackups = { ...asked, what: 'backupStarted,backupEnded', from, to, asOf }
    expect(backupCalls).toEqual([ofBackups])
    expect(to! - from!).toBe(hour)
    expect(asOf).toBe(to)
    const lists = [expect.stringMatching(/Restarted$/), expect.stringMatching(/Moved from pve1 to pve2$/)]
    expect(await listed()).toEqual(lists)
    for (const caption of captions()) expect(caption).toMatch(/: Restarted\. .*: Moved from pve1 to pve2\.$/)
    await click('Show as table')
    expect(await listed()).toEqual(lists)
  })

  test('the crosshair stops at each of them and says what it was', async () => {
    await showHistory({ id: nextId(), changes: () => [change('restarted', now - 629_000)] })
    const [cpu] = await charts()
    await listed()
    const heard: string[] = []
    await press(cpu!, 'Home')
    for (let n = 0; n < 70; n++) {
      heard.push(cpu!.getAttribute('aria-valuetext')!)
      await press(cpu!, 'ArrowRight')
    }
    expect(heard.filter((text) => text.endsWith(', Restarted')).length).toBeGreaterThan(0)
    expect(heard[0]).not.toContain('Restarted')
  })

  test('an answer that ends early is followed by the next, up to the changes of the guest', async () => {
    const { changeCalls } = await showHistory({
      id: nextId(),
      changes: (cursor) => (cursor === '2' ? [change('restarted', now - 600_000)] : []),
      changesCursor: (cursor) => ({ first: '1', 1: '2' })[cursor ?? 'first'],
    })
    await charts()
    expect(await listed()).toEqual([expect.stringMatching(/Restarted$/)])
    const { cursor: _, ...first } = changeCalls[0] as Record<string, unknown>
    expect(changeCalls).toEqual([first, { ...first, cursor: '1' }, { ...first, cursor: '2' }])
  })

  test('where answers never end, a bounded number is asked for, and the list says that it is not whole', async () => {
    let answers = 0
    const { changeCalls } = await showHistory({ id: nextId(), changesCursor: () => `${++answers}` })
    await charts()
    expect(await listed()).toEqual(['Older changes are not shown.'])
    expect(changeCalls).toHaveLength(7)
  })

  test('of more than a hundred, the newest are shown, and the list says so', async () => {
    const { changeCalls } = await showHistory({
      id: nextId(),
      changes: () => Array.from({ length: 100 }, (_, n) => change('restarted', now - (n + 1) * 1_000)),
      changesCursor: () => '7.1',
    })
    await charts()
    expect((await listed()).at(-1)).toBe('and 95 more. Older changes are not shown.')
    expect(changeCalls).toHaveLength(1)
  })

  test('are asked for again no more often than the chart has another point', async () => {
    const { changeCalls } = await showHistory({ id: nextId() })
    await charts()
    await pass(60_000)
    expect(changeCalls).toHaveLength(2)
    await choose('30 d')
    await charts()
    const asked = changeCalls.length
    await pass(10 * 60_000)
    expect(changeCalls).toHaveLength(asked)
  })

  test('that cannot be loaded leave the charts', async () => {
    await showHistory({
      id: nextId(),
      changes() {
        throw new Error('no answer')
      },
    })
    await charts()
    expect(await screen.findByText('Events could not be loaded: no answer')).toBeDefined()
    expect(screen.getAllByRole('slider')).toHaveLength(2)
  })

  test('the newest backup is one', async () => {
    await showHistory({ id: nextId(), guest: { lastBackup: now - 1_200_000 } })
    await charts()
    expect(await listed()).toEqual([expect.stringMatching(/[^ ]Backup$/)])
  })

  test('[M 3.1] earlier backups are bands, on pages that have no list of backups', async () => {
    await showHistory({
      id: nextId(),
      guest: { lastBackup: now - 1_200_000 },
      changes: () => [
        change('backupEnded', now - 600_000),
        change('backupStarted', now - 1_195_000),
        change('backupEnded', now - 2_400_000),
        change('backupStarted', now - 3_000_000),
      ],
    })
    await charts()
    expect(await listed()).toEqual([
      expect.stringMatching(/[^ ]Backup, 9m$/),
      expect.stringMatching(/[^ ]Backup, 10m$/),
    ])
  })

  test('[M 3.1] however many backups there are, what is rarer is listed and marked', async () => {
    const backups = Array.from({ length: 20 }, (_, n) => [
      change('backupEnded', now - 60_000 - n * 120_000),
      change('backupStarted', now - 100_000 - n * 120_000),
    ])
    await showHistory({
      id: nextId(),
      changes: () => [...backups.flat(), change('restarted', now - 3_000_000)],
      olderBackups: true,
    })
    await charts()
    expect(await listed()).toEqual([
      ...Array.from({ length: 4 }, () => expect.stringMatching(/Backup, 40s$/)),
      expect.stringMatching(/Restarted$/),
      'and 16 more. Older backups are not shown.',
    ])
    for (const caption of captions()) expect(caption).toContain('Restarted')
  })

  test('backups and alerts of another guest that had its VMID are none', async () => {
    const ofOther = now - 1_200_000
    const alert = (id: string, at: number): AlertHistoryEntry => ({
      ...anAlert({ id, startTime: new Date(at).toISOString(), message: `${id} of CPU` }),
      peakLevel: 'warning',
      status: 'resolved',
      duration: 60,
    })
    await showHistory({
      id: nextId(),
      guest: { lastBackup: ofOther },
      alerts: () => [alert('former', ofOther), alert('own', now - 60_000)],
      answer(call) {
        const answer = steady(call)
        return { ...answer, series: answer.series.map((one) => ({ ...one, since: now - 600_000 })) }
      },
    })
    await charts()
    expect((await screen.findByRole('list', { name: 'Alerts' })).textContent).toMatch(/own of CPU$/)
    expect(screen.queryAllByText(/former of CPU/)).toEqual([])
    expect(screen.queryByRole('list', { name: 'Events' })).toBeNull()
  })

  test('a run of a backup has its duration, once, and other guests have theirs', async () => {
    const own = { source: 'c1', vmid: 100, type: 'qemu' } as const
    const run = (upid: string, startedAgo: number, more: Parameters<typeof aBackupRun>[0] = {}) =>
      aBackupRun({
        ...own,
        upid,
        startTime: new Date(now - startedAgo).toISOString(),
        endTime: new Date(now - startedAgo + 300_000).toISOString(),
        ...more,
      })
    await showHistory({
      id: nextId(),
      guest: { ...own, lastBackup: now - 1_195_000 },
      backups: {
        pveBackups: {
          own: run('own', 1_200_000),
          several: run('several', 2_400_000, { vmid: 0, guests: [{ vmid: 100, error: 'no space' }] }),
          other: run('other', 1_800_000, { vmid: 101 }),
          elsewhere: run('elsewhere', 1_800_000, { source: 'c2' }),
        },
      },
    })
    await charts()
    expect(await listed()).toEqual([
      expect.stringMatching(/ to .*[^ ]Backup, 5m$/),
      expect.stringMatching(/ to .*Backup with other guests failed: no space, 5m$/),
    ])
  })

  test('a backup that several clusters list is the guest’s if no other cluster has its number, as in the list of backups', async () => {
    const own = { source: 'c1', instance: 'c1', vmid: 100, type: 'qemu' } as const
    const sent = (minutesAgo: number, more: Parameters<typeof aPbsBackup>[0] = {}) =>
      aPbsBackup({
        vmid: '100',
        listedBy: ['c1', 'c2'],
        backupTime: new Date(now - minutesAgo * 60_000).toISOString(),
        ...more,
      })
    const backups = { pbsBackups: { one: sent(20), ct: sent(30, { backupType: 'ct' }) } }
    await showHistory({ id: nextId(), guest: own, backups })
    await charts()
    expect(await listed()).toEqual([expect.stringMatching(/[^ ]Backup$/)])
    cleanup()
    const twin = { ...own, source: 'c2', instance: 'c2', name: 'other' }
    await showHistory({ id: nextId(), guest: own, others: { 'c2:100': twin }, backups })
    await charts()
    expect(screen.queryByRole('list', { name: 'Events' })).toBeNull()
  })
})
