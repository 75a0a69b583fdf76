// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import { toasts } from '../nodes/fake-nodes.tsx'
import { aHistory, field, historyCall, renderSystem, someSettings, type } from './fake-system.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { useSystemSettings } from './section.tsx'
import { useSystemEdits } from './system-edits.tsx'
import { type LoadedSettings, useSystemForm } from './system-form.ts'

const MB = 1024 ** 2
const deleteCall = 'DELETE /api/history'

function Loaded({ settings }: { settings: LoadedSettings }) {
  const form = useSystemForm(settings)
  const { edits } = useSystemEdits()
  return (
    <>
      <HistoryPanel form={form} />
      <output aria-label="Edits">{JSON.stringify(edits)}</output>
    </>
  )
}

function Page() {
  const { data } = useSystemSettings()
  return data && <Loaded settings={data} />
}

const show = (replies: Record<string, unknown> = {}, settings = someSettings()) =>
  renderSystem(<Page />, { settings, replies })
const hint = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby')!)!.textContent
const edits = () => JSON.parse(screen.getByRole('status', { name: 'Edits' }).textContent!) as object
/** An open dialog hides the page. */
async function click(name: string) {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  await settled()
}

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[M 1.2] the lengths of the history', () => {
  test('each has its cost beside it, as measured, for the length that is typed', async () => {
    await show({
      [historyCall]: aHistory({
        tiers: [
          { tier: 'raw', bytes: 24 * MB, bytesPerDay: 24 * MB },
          { tier: 'minute', bytes: 28 * MB, bytesPerDay: 2 * MB },
          { tier: 'quarter', bytes: MB, bytesPerDay: MB / 4 },
          { tier: 'day', bytes: MB, bytesPerDay: MB / 100 },
        ],
      }),
    })
    expect(hint('Samples as polled, in hours')).toBe('About 24 MB.')
    expect(hint('Minutes, in days')).toBe('About 28 MB.')
    expect(hint('Quarter hours, in months')).toBe('About 101 MB.')
    expect(hint('Days, in years')).toBe('Kept without end. About 3.7 MB a year.')
    type('Samples as polled, in hours', '48')
    expect(hint('Samples as polled, in hours')).toBe('About 48 MB.')
    type('Days, in years', '10')
    expect(hint('Days, in years')).toBe('0: without end. About 36.6 MB.')
    expect(edits()).toEqual({ historyRawHours: 48, historyDayYears: 10 })
  })

  test('a cost that is not known yet is not shown as zero', async () => {
    await show({ [historyCall]: { fileBytes: 4096, tiers: [] } })
    expect(hint('Samples as polled, in hours')).toBe('Size known after the first hour.')
    expect(hint('Quarter hours, in months')).toBe('Size known after the first day.')
    expect(screen.getByText(/no sample yet/)).toBeDefined()
  })

  test('with samples elsewhere, no field promises a size that will never be known', async () => {
    await show({ [historyCall]: { fileBytes: 4096, tiers: [], samplesIn: 'http://store.example:8428' } })
    expect(hint('Samples as polled, in hours')).toBe('No samples here.')
    expect(hint('Days, in years')).toBe('Kept without end. No samples here.')
  })

  test('samples from before they were kept elsewhere still have their size', async () => {
    const tiers = [{ tier: 'minute', bytes: 28 * MB, bytesPerDay: 2 * MB }]
    await show({ [historyCall]: { fileBytes: 4096, tiers, samplesIn: 'http://store.example:8428' } })
    expect(hint('Minutes, in days')).toBe('About 28 MB.')
  })

  test('what is out of bounds is refused at the field, and no edit', async () => {
    await show()
    for (const wrong of ['0', '91', '1.5', 'week']) {
      type('Minutes, in days', wrong)
      expect(hint('Minutes, in days')).toBe('Enter a whole number from 1 to 90.')
    }
    expect(edits()).toEqual({})
    fireEvent.blur(field('Minutes, in days'))
    expect(field('Minutes, in days').value).toBe('14')
  })
})

describe('[M 4] the history is deleted', () => {
  test('after a question, and its size is read again', async () => {
    const { calls, replies } = await show({ [deleteCall]: { success: true } })
    expect(screen.getByText(/^60 MB on disk, oldest sample Sep 1, 2026/)).toBeDefined()
    await click('Delete history')
    expect(calls.some(({ call }) => call === deleteCall)).toBe(false)
    replies[historyCall] = { fileBytes: 4096, tiers: [] }
    await click('Delete history')
    expect(calls.filter(({ call }) => call === deleteCall)).toHaveLength(1)
    expect(toasts()).toEqual(['success: Metric history deleted'])
    expect(screen.getByText('4 KB on disk, no sample yet')).toBeDefined()
  })

  test('a failure says why', async () => {
    await show({ [deleteCall]: new Answer(503, { error: 'the disk fails' }) })
    await click('Delete history')
    await click('Delete history')
    expect(toasts()).toEqual(['error: the disk fails'])
  })
})

test('[N 5] with another store, the page says who keeps the samples, and that deleting leaves them', async () => {
  await show({ [historyCall]: aHistory({ samplesIn: 'https://metrics.example.test:8428' }) })
  expect(screen.getByText(/^Samples are in https:\/\/metrics\.example\.test:8428/).textContent).toBe(
    'Samples are in https://metrics.example.test:8428, which decides how long it keeps them. The lengths below apply to the 60 MB of changes and past states on disk.',
  )
  await click('Delete history')
  expect(
    screen.getByText(/The samples in https:\/\/metrics\.example\.test:8428 stay; delete them there\./),
  ).toBeDefined()
})
