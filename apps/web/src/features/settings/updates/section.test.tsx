// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { Answer, aStatus, renderSettings, settled, viewer } from '../fake-settings.tsx'
import { anEntry } from './fake-updates.ts'
import UpdatesSection from './section.tsx'

const listCall = 'GET /api/updates/history'
const entryCall = 'GET /api/updates/history/entry'

const tampered = anEntry({
  event_id: 'e2',
  version_to: '5.3.0',
  status: 'failed',
  duration_ms: 4_000,
  error: { code: 'signature', message: 'The signature does not fit.', details: 'manifest.json' },
})
const returned = anEntry({
  event_id: 'e3',
  version_from: '5.2.0',
  version_to: '5.4.0',
  channel: 'rc',
  status: 'rolled_back',
  initiated_by: 'auto',
  initiated_via: 'script',
  error: { message: 'The new version did not answer.' },
})

const show = (entries: unknown, given: Parameters<typeof renderSettings>[1] = {}) =>
  renderSettings(<UpdatesSection />, { ...given, replies: { [listCall]: entries, ...given.replies } })
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1, 6)
        .map(({ textContent }) => textContent),
    )

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('[spec 2 §2] the history lists every update with its result', async () => {
  const { calls } = await show([
    returned,
    tampered,
    anEntry(),
    anEntry({ event_id: 'e0', action: 'rollback', initiated_by: 'api', initiated_via: 'script' }),
  ])
  expect(calls.map(({ call, search }) => call + search)).toEqual([`${listCall}?limit=100`])
  expect(rows()).toEqual([
    [
      '5.2.0 →  to 5.4.0',
      'Rolled backThe new version did not answer.',
      'Release candidate',
      'Automatic update',
      '1 min',
    ],
    ['5.1.0 →  to 5.3.0', 'FailedThe signature does not fit.', 'Stable', 'User (browser)', '4 s'],
    ['5.1.0 →  to 5.2.0', 'Success', 'Stable', 'User (browser)', '1 min'],
    ['Rollback: 5.1.0 →  to 5.2.0', 'Success', 'Stable', 'API (script)', '1 min'],
  ])
})

test('one that is under way has no duration yet', async () => {
  await show([anEntry({ status: 'in_progress', duration_ms: 0 })])
  expect(rows()[0]!.slice(1)).toEqual(['In progress', 'Stable', 'User (browser)', '—'])
})

test('without any update it says so', async () => {
  await show([])
  expect(screen.getByText('No updates')).toBeDefined()
  expect(screen.getByText('Updates of this installation appear here.')).toBeDefined()
})

test('[spec 2 §7] a result is asked for by its status', async () => {
  const { calls } = await show([anEntry()])
  await act(async () => void fireEvent.click(screen.getByRole('combobox', { name: 'Result' })))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'All results',
    'In progress',
    'Success',
    'Failed',
    'Rolled back',
    'Cancelled',
  ])
  await act(async () => {
    const failed = screen.getByRole('option', { name: 'Failed' })
    fireEvent.pointerDown(failed)
    fireEvent.click(failed)
  })
  await settled()
  expect(calls.at(-1)!.search).toBe('?limit=100&status=failed')
})

test('a history that cannot be loaded can be asked for again', async () => {
  const { replies } = await show(new Answer(503, { error: 'storage' }))
  expect(screen.getByRole('alert').textContent).toBe('Failed to load the update historystorageRetry')
  replies[listCall] = [anEntry()]
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await settled()
  expect(rows()).toHaveLength(1)
})

test('a viewer sees that administrator access is needed, and nothing is asked for', async () => {
  const { calls } = await show([], { status: aStatus({ user: viewer }) })
  expect(screen.getByText('You need administrator access to see updates.')).toBeDefined()
  expect(calls).toEqual([])
})

describe('[spec 2 §7] one entry', () => {
  const open = async (entry: unknown) => {
    const view = await show([tampered], { replies: { [entryCall]: entry } })
    fireEvent.click(screen.getByRole('button', { name: 'Details of the update to 5.3.0' }))
    await settled()
    return { ...view, dialog: within(screen.getByRole('dialog', { name: 'Update details' })) }
  }

  test('is asked for by its id and shown with everything that is kept of it', async () => {
    const kept = {
      ...tampered,
      download_bytes: 44_040_192,
      backup_path: '/var/lib/pulse/backup-1',
      notes: 'taken up',
    }
    const { calls, dialog } = await open(kept)
    expect(calls.at(-1)).toMatchObject({ call: entryCall, search: '?id=e2' })
    expect(dialog.getByText('The signature does not fit.')).toBeDefined()
    const facts = dialog
      .getAllByRole('term')
      .map(({ textContent, nextSibling }) => [textContent, nextSibling?.textContent])
    expect(facts.filter(([name]) => name !== 'Started')).toEqual([
      ['Result', 'Failed'],
      ['Action', 'Update'],
      ['From', '5.1.0'],
      ['To', '5.3.0'],
      ['Channel', 'Stable'],
      ['Duration', '4 s'],
      ['Started by', 'User (browser)'],
      ['Installation', 'systemd service'],
      ['Downloaded', '42 MB'],
      ['Data kept in', '/var/lib/pulse/backup-1'],
      ['Notes', 'taken up'],
      ['Id', 'e2'],
    ])
    expect(dialog.getByText('manifest.json')).toBeDefined()
    expect(dialog.getByText('signature')).toBeDefined()
  })

  test('that is not kept any more says so', async () => {
    const { dialog } = await open(new Answer(404, { error: 'The history has no such update.' }))
    expect(dialog.getByRole('alert').textContent).toBe(
      'Failed to load the updateThe history has no such update.Retry',
    )
  })
})

test('[spec 3 §4] an update that begins or ends is seen at once', async () => {
  const live = aLive()
  const { calls } = await show([anEntry()], { live })
  const say = async (status: 'downloading' | 'applying' | 'completed') => {
    const data = { status, progress: 1, message: '', updatedAt: '' }
    act(() => live.events.emit({ type: 'update:progress', data }))
    await settled()
    return calls.length
  }
  expect([await say('applying'), await say('completed'), await say('downloading')]).toEqual([1, 2, 3])
})
