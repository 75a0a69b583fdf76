// @vitest-environment happy-dom
import type { BackTest } from '@pulse/contract'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
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

  test('of one resource asks for that resource', async () => {
    const { asked } = await show('proxmox', { replies: { [call]: anAnswer({ total: 0 }) } })
    await edit('CPU % of web: 80', '95')
    await within(await panel()).findByText('Over the last 14 days this would not have fired.')
    expect(asked(call).at(-1)!.body).toMatchObject({ kind: 'guests', metric: 'cpu', id: 'main:100' })
  })

  test.each([
    [{ reaches: to - 3 * day }, 'The history reaches back only 3 days.'],
    [
      { from: to - 5 * day, reaches: to - 5 * day },
      'Earlier days are left out, because it would have fired too often.',
    ],
    [{ unplayed: 2 }, '2 guests report each file system, which has no history.'],
    [{ reaches: undefined }, 'There is no history of CPU % yet.'],
  ])('says what it leaves out: %j', async (change, text) => {
    await show('proxmox', { replies: { [call]: anAnswer(change as Partial<BackTest>) } })
    await edit(defaults, '70')
    expect(await within(await panel()).findByText(text)).toBeDefined()
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
    expect(
      testedBy(cellName('defaults:dockerContainers', 'restartCount'), 'dockerContainers'),
    ).toBeUndefined()
    expect(testedBy(cellName('defaults:pmg', 'holdQueueWarn'), 'pmg')).toBeUndefined()
    expect(testedBy(undefined, 'guests')).toBeUndefined()
  })
})
