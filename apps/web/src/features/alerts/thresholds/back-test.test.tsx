// @vitest-environment happy-dom
import type { BackTest } from '@pulse/contract'
import { aRuleOn } from '@pulse/testkit'
import { focusManager, onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { within as waitMs } from '../../../../../../scripts/test-limits.ts'
import { anAlertConfig, click, freshBrowser } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'
import { cellName } from './editing.tsx'
import { testedBy } from './tested.ts'

freshBrowser()

const call = 'POST /api/history/back-test'
const day = 86_400_000
const to = Date.UTC(2026, 0, 15)
const anAnswer = (change: Partial<BackTest> = {}): BackTest => ({
  from: to - 14 * day,
  to,
  isCut: false,
  isOff: false,
  reaches: to - 14 * day,
  perDay: Array.from({ length: 14 }, (_, n) => ({
    day: to - (14 - n) * day,
    count: n === 3 ? 4 : n === 5 ? 2 : 0,
  })),
  total: 6,
  totalMs: 6 * 3_600_000,
  things: 2,
  top: [
    { id: 'main:100', name: 'web', count: 5, totalMs: 5 * 3_600_000 },
    { id: 'main:101', name: 'mail', count: 1, totalMs: 3_600_000 },
  ],
  alerts: [],
  messages: 9,
  unplayed: 0,
  ...change,
})

async function edit(name: string, value: string) {
  await click(name)
  const field = screen.getByRole('textbox', { name: name.split(':')[0]! })
  await act(async () => void fireEvent.change(field, { target: { value } }))
  await act(async () => void fireEvent.keyDown(field, { key: 'Enter' }))
}

const panel = () => screen.findByRole('region', { name: 'Back-test of CPU %' })
const defaults = 'CPU % of VMs & Containers, global defaults: 80'

describe('[M 3.7] the back-test of a threshold', () => {
  test('asks nothing until a threshold is edited', async () => {
    const { asked } = await show('proxmox', { replies: { [call]: anAnswer() } })
    expect(screen.queryByRole('region', { name: /Back-test/ })).toBeNull()
    expect(asked(call)).toEqual([])
  })

  test('is below its table, so that nothing above it moves', async () => {
    await show('proxmox', { replies: { [call]: anAnswer() } })
    await edit(defaults, '70')
    const table = screen.getByRole('treegrid', { name: 'VMs & Containers' })
    expect(table.compareDocumentPosition(await panel()) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  })

  test('is asked with the edits that are not saved, and says how often, for whom, how long, how many messages', async () => {
    const { asked } = await show('proxmox', { replies: { [call]: anAnswer() } })
    await edit(defaults, '70')
    await within(await panel()).findByText(
      'Over the last 14 days this would have fired 6 times, for 2 guests: 6 h in total, 1 h each on average. 9 messages to each channel.',
    )
    const sent = asked(call).at(-1)!.body as {
      kind: string
      metric: string
      config: ReturnType<typeof anAlertConfig>
    }
    expect(sent).toMatchObject({ kind: 'guests', metric: 'cpu' })
    expect(sent.config.guestDefaults.cpu.trigger).toBe(70)
    const top = within(await panel()).getByRole('list', { name: 'Most alerts' })
    expect(
      within(top)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['web5×5 h', 'mail1×1 h'])
    const days = within(await panel()).getByRole('list', { name: 'Alerts per day' })
    const bars = within(days).getAllByRole('listitem')
    expect(bars.map((bar) => (bar.firstChild as HTMLElement).style.height)).toEqual(
      Array.from({ length: 14 }, (_, n) => (n === 3 ? '36px' : n === 5 ? '18px' : '0px')),
    )
    expect(bars[3]!.getAttribute('aria-label')).toMatch(/: 4$/)
  })

  test('names the first and the last day of the bars, and the number of the highest one', async () => {
    const perDay = (most: number) => [0, most].map((count, n) => ({ day: to - (2 - n) * day, count }))
    let answer = anAnswer({ perDay: perDay(4) })
    await show('proxmox', { replies: { [call]: () => answer } })
    await edit(defaults, '70')
    const days = await within(await panel()).findByRole('list', { name: 'Alerts per day' })
    const named = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    const texts = () => [...days.nextElementSibling!.children].map(({ textContent }) => textContent)
    const [first, last] = [named.format(to - 2 * day), named.format(to - day)]
    expect(texts()).toEqual([first, 'up to 4 a day', last])
    answer = anAnswer({ perDay: perDay(0) })
    await edit('CPU % of VMs & Containers, global defaults: 70', '71')
    await vi.waitFor(() => expect(texts()).toEqual([first, last]), { timeout: waitMs(30_000) })
  })

  test('names the days of the schedule’s time zone, which is not that of the browser', async () => {
    const schedule = structuredClone(anAlertConfig().schedule)
    schedule.quietHours.timezone = 'Pacific/Auckland'
    // where it is 13 hours later than in UTC
    const midnight = Date.UTC(2026, 0, 9, 11)
    await show('proxmox', {
      config: anAlertConfig({ schedule }),
      replies: { [call]: anAnswer({ perDay: [{ day: midnight, count: 6 }] }) },
    })
    await edit(defaults, '70')
    const days = await within(await panel()).findByRole('list', { name: 'Alerts per day' })
    const expected = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    expect(within(days).getByRole('listitem').getAttribute('aria-label')).toBe(
      `${expected.format(Date.UTC(2026, 0, 10))}: 6`,
    )
  })

  test('names the days of the browser’s time zone if the browser does not know that of the schedule', async () => {
    const schedule = structuredClone(anAlertConfig().schedule)
    schedule.quietHours.timezone = 'Mars/Olympus_Mons'
    await show('proxmox', {
      config: anAlertConfig({ schedule }),
      replies: { [call]: anAnswer({ perDay: [{ day: to, count: 6 }] }) },
    })
    await edit(defaults, '70')
    const days = await within(await panel()).findByRole('list', { name: 'Alerts per day' })
    expect(within(days).getByRole('listitem').getAttribute('aria-label')).toMatch(/1[45]\D*: 6$/)
  })

  test.each(['Save Changes', 'Discard'])('goes away with the edits: %s', async (button) => {
    const { settled } = await show('proxmox', { replies: { [call]: anAnswer() } })
    await edit(defaults, '70')
    await panel()
    await click(button)
    await settled()
    expect(screen.queryByRole('region', { name: /Back-test/ })).toBeNull()
    const days = screen.getByRole('textbox', { name: 'Warning Days of Backups' })
    await act(async () => void fireEvent.change(days, { target: { value: '9' } }))
    await act(async () => void fireEvent.blur(days))
    const reason = /age of backups/
    expect(screen.getByText(reason)).toBeDefined()
    await click(button)
    await settled()
    expect(screen.queryByText(reason)).toBeNull()
  })

  test('an edit that is given up leaves no back-test behind', async () => {
    await show('proxmox', { replies: { [call]: anAnswer() } })
    await click(defaults)
    await panel()
    const field = screen.getByRole('textbox', { name: defaults.split(':')[0]! })
    await act(async () => void fireEvent.keyDown(field, { key: 'Escape' }))
    expect(screen.queryByRole('region', { name: /Back-test/ })).toBeNull()
  })

  test('does not play again when the window is focused', async () => {
    const { asked } = await show('proxmox', { replies: { [call]: anAnswer() } })
    await edit(defaults, '70')
    await within(await panel()).findByText(/would have fired 6 times/)
    const played = asked(call).length
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      focusManager.setFocused(undefined)
    })
    const passLong = () => act(async () => void (await vi.advanceTimersByTimeAsync(10_000)))
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    await passLong()
    onlineManager.setOnline(false)
    onlineManager.setOnline(true)
    await passLong()
    expect(asked(call)).toHaveLength(played)
  })

  test('of one resource asks for that resource', async () => {
    const { asked } = await show('proxmox', { replies: { [call]: anAnswer({ total: 0 }) } })
    await edit('CPU % of web: 80', '95')
    await within(await panel()).findByText('Over the last 14 days this would not have fired.')
    expect(asked(call).at(-1)!.body).toMatchObject({ kind: 'guests', metric: 'cpu', id: 'main:100' })
  })

  test.each([
    [{ reaches: to - 3 * day }, 'The history reaches back only 3 days.'],
    [{ isCut: true }, 'Older history is kept. Only the last 14 days are played.'],
    [
      { estimate: { played: 12, of: 2_500 } },
      'Estimated from 12 of 2,500 guests that reached the threshold.',
    ],
    [{ unplayed: 2 }, '2 guests have more than 64 file systems. Not all of them have a history.'],
    [{ reaches: undefined }, 'There is no history of CPU % yet.'],
    [
      { reaches: undefined, unplayed: 1 },
      '1 guest has more than 64 file systems. Not all of them have a history.',
    ],
    [{ reaches: undefined, isOff: true, unplayed: 1 }, 'This threshold is off.'],
  ])('says what it leaves out: %j', async (change, text) => {
    await show('proxmox', { replies: { [call]: anAnswer(change as Partial<BackTest>) } })
    await edit(defaults, '70')
    expect(await within(await panel()).findByText(text)).toBeDefined()
  })

  test('says that guests were left out for a custom rule', async () => {
    const rule = aRuleOn('disk', 90, {})
    await show('proxmox', {
      config: anAlertConfig({ customRules: [rule] }),
      replies: { [call]: anAnswer({ unplayed: 2 }) },
    })
    await edit(defaults, '70')
    const text = '2 guests were not played, because a custom rule depends on the disk as a whole.'
    expect(await within(await panel()).findByText(text)).toBeDefined()
  })

  test.each([
    [
      { from: to - 3 * day, reaches: to - 3 * day },
      'Over the last 3 days this would have fired 6 times, for 2 guests: 6 h in total, 1 h each on average. 9 messages to each channel.',
    ],
    [
      { from: to - 6 * 3_600_000, reaches: to - 6 * 3_600_000, total: 0 },
      'Over the last 6 h this would not have fired.',
    ],
    [
      {
        total: 31_234,
        things: 2_456,
        totalMs: 31_234 * 7_200_000,
        messages: 36,
        estimate: { played: 12, of: 2_500 },
      },
      'Over the last 14 days this would have fired about 31,000 times, for about 2,500 guests: about 2602 d in total, 2 h each on average. At least 36 messages to each channel.',
    ],
    [
      { total: 0, estimate: { played: 12, of: 2_500 } },
      'Over the last 14 days this would not have fired for any of the 12 guests that were played.',
    ],
  ])('names the days that were played, and what is only estimated: %j', async (change, text) => {
    await show('proxmox', { replies: { [call]: anAnswer(change as Partial<BackTest>) } })
    await edit(defaults, '70')
    expect(await within(await panel()).findByText(text)).toBeDefined()
  })

  test('does not say how many more there are when it lists those that were played', async () => {
    const answer = anAnswer({ things: 2_500, estimate: { played: 12, of: 2_500 } })
    await show('proxmox', { replies: { [call]: answer } })
    await edit(defaults, '70')
    expect(
      await within(await panel()).findByText('Only the guests that were played are listed.'),
    ).toBeDefined()
  })

  test('says while it plays, and offers to try again after a failure', async () => {
    let answer: unknown = 500
    const { promise, resolve } = Promise.withResolvers<void>()
    await show('proxmox', { replies: { [call]: async () => (await promise, answer) } })
    await edit(defaults, '70')
    expect(await within(await panel()).findByRole('status', { name: 'Playing the history' })).toBeDefined()
    await act(async () => resolve())
    await within(await panel()).findByText('The back-test failed')
    answer = anAnswer()
    await click('Retry')
    expect(await within(await panel()).findByText(/would have fired 6 times/)).toBeDefined()
  })

  test('is for metrics with a history, in the table of the edited cell', () => {
    expect(testedBy(cellName('guest:main:100', 'cpu'), 'guests')).toEqual({
      kind: 'guests',
      metric: 'cpu',
      id: 'main:100',
    })
    expect(testedBy(cellName('guest:main:100', 'cpu'), 'nodes')).toBeUndefined()
    expect(testedBy(cellName('defaults:storage', 'usage'), 'storage')).toEqual({
      kind: 'storage',
      metric: 'usage',
    })
    expect(testedBy(cellName('defaults:dockerContainers', 'memoryWarnPct'), 'dockerContainers')).toEqual({
      kind: 'dockerContainers',
      metric: 'memoryWarnPct',
    })
    expect(testedBy(undefined, 'guests')).toBeUndefined()
  })
})
