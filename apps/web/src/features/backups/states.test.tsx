// @vitest-environment happy-dom
import { aProtection, backedUpEstate } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { HOUR, NOW, atOneMoment, choose, given, row, rows, table, type } from './fake-page.tsx'

const estate = backedUpEstate(NOW)

atOneMoment()

describe('[spec 1 §2] states', () => {
  test('before the slice has come: Loading backup information...', async () => {
    await given({ sources: estate.sources! }, {})
    expect(screen.getByRole('heading', { name: 'Loading backup information...' })).toBeDefined()
  })

  test('while the connection is made, the same', async () => {
    await given({}, { status: 'connecting', initialDataReceived: false })
    expect(screen.getByText('Loading backup information...')).toBeDefined()
    // [design 10] the placeholder has the shape of the page, including a month of bars
    const bars = [...document.querySelectorAll('[style*="height"]')].map(
      (one) => one.querySelectorAll('.skeleton').length,
    )
    expect(bars).toContain(30)
  })

  test.each(['reconnecting', 'disconnected'] as const)('%s: Connection lost', async (status) => {
    await given({}, { status, initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    expect(
      screen.getByText('Unable to connect to the backend server. Attempting to reconnect...'),
    ).toBeDefined()
  })

  test('no source: No backup sources configured, with the way to the settings', async () => {
    await given({})
    expect(screen.getByRole('heading', { name: 'No backup sources configured' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings')
  })

  test('[spec 1 §9] at first: Loading backup data..., for up to 20 seconds; then No backup data and the way to the tokens', async () => {
    await given({ sources: estate.sources! })
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    expect(screen.getByText('This may take up to 20 seconds on the first load.')).toBeDefined()
    act(() => void vi.advanceTimersByTime(21_000))
    expect(screen.getByRole('heading', { name: 'No backup data' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Manage tokens' }).getAttribute('href')).toBe(
      '/settings/security',
    )
  })

  test('[M 3.4] of a moment without backups: neither is one awaited nor a setting to be changed', async () => {
    await given({ sources: estate.sources! }, undefined, NOW - HOUR)
    expect(screen.getByRole('heading', { name: 'Nothing at this time' })).toBeDefined()
    expect(screen.queryByText(/Loading|No backup data/)).toBeNull()
    expect(screen.queryByRole('link', { name: /Manage tokens|Check the sources/ })).toBeNull()
  })

  test('while snapshots are read for the first time the page says of how many guests, and not that there are none', async () => {
    const reading = [{ what: 'guest snapshots', done: 12, of: 58 }]
    const main = { ...estate.sources!.main, reading }
    const { live } = await given({ ...estate, sources: { main } })
    expect(screen.getByText('Reading snapshots, 12 of 58 guests')).toBeDefined()
    await type('not-read-yet')
    expect(screen.getByRole('heading', { name: 'Reading snapshots, 12 of 58 guests...' })).toBeDefined()
    expect(screen.queryByText('No backups match your filters')).toBeNull()
    const other = { name: 'other', kind: 'pve', health: 'healthy', reading } as const
    act(() => live.put({ sources: { main, other } }))
    expect(screen.getByText('Reading snapshots, 24 of 116 guests')).toBeDefined()
    choose('PBS', 'Source')
    expect(screen.getByRole('heading', { name: 'No backups match your filters' })).toBeDefined()
    choose('Snapshots', 'Source')
    const { reading: _, ...done } = main
    act(() => live.put({ sources: { main: done, other: { ...other, reading: [] } } }))
    expect(screen.getByRole('heading', { name: 'No backups match your filters' })).toBeDefined()
    expect(screen.queryByText(/Reading snapshots/)).toBeNull()
  })

  test('no backup at all is not said while snapshots are still read', async () => {
    const reading = [{ what: 'guest snapshots', done: 3, of: 58 }]
    await given({ sources: { main: { ...estate.sources!.main, reading } } })
    act(() => void vi.advanceTimersByTime(60_000))
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    expect(screen.getByText('Reading snapshots, 3 of 58 guests.')).toBeDefined()
  })

  test('what is switched off is not waited for: No backup data says whose it is', async () => {
    const off = { switchedOff: ['monitorBackups'] }
    const { live } = await given({ sources: { main: { ...estate.sources!.main, ...off } } })
    expect(screen.getByRole('heading', { name: 'No backup data' })).toBeDefined()
    expect(screen.getByText('Backup monitoring is switched off for main.')).toBeDefined()
    expect(screen.queryByText(/respond, but list no/)).toBeNull()
    const vault = { name: 'pbs-vault', kind: 'pbs', health: 'healthy' } as const
    act(() => live.put({ sources: { vault } }))
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    act(() => void vi.advanceTimersByTime(21_000))
    expect(screen.getByText('Backup monitoring is switched off for main.')).toBeDefined()
    expect(screen.getByText(/^The others respond, but list no snapshots/)).toBeDefined()
    act(() => live.put({ sources: { vault: { ...vault, switchedOff: ['monitorDatastores'] } } }))
    expect(screen.getByText('Backup monitoring is switched off for main, vault.')).toBeDefined()
    const all = { switchedOff: ['backupPolling'] }
    act(() =>
      live.put({ sources: { main: { ...estate.sources!.main, ...all }, vault: { ...vault, ...all } } }),
    )
    expect(screen.getByText('Backup polling is switched off in the settings.')).toBeDefined()
    expect(screen.queryByText(/Backup monitoring|respond, but/)).toBeNull()
  })

  test('at first no guest is called unprotected: no backup was read yet', async () => {
    await given({ sources: estate.sources!, protections: { 'main:100': aProtection({ newest: undefined }) } })
    expect(screen.queryByText(/at risk/)).toBeNull()
    fireEvent.click(screen.getByRole('tab', { name: 'Protection' }))
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    act(() => void vi.advanceTimersByTime(21_000))
    // shown once: on the tab's own figures here, in the headline on the other tab
    expect(screen.getByRole('button', { name: '1 needs attention' })).toBeDefined()
    expect(screen.queryByText(/at risk/)).toBeNull()
    fireEvent.click(screen.getByRole('tab', { name: 'Backups' }))
    fireEvent.click(screen.getByRole('button', { name: '1 guest at risk' }))
    expect(screen.getByRole('button', { name: '1 needs attention' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
  })

  test('with backups at hand they stay while the connection is lost, without their colours', async () => {
    const { live } = await given(estate)
    act(() => live.connection.set({ status: 'disconnected', initialDataReceived: false }))
    expect(screen.getByText('Connection lost')).toBeDefined()
    expect(table().closest('.grayscale')).not.toBeNull()
  })

  test('nothing matches', async () => {
    await given(estate)
    await type('nothing like it')
    expect(screen.getByRole('heading', { name: 'No backups match your filters' })).toBeDefined()
    expect(screen.getByText('Try adjusting filters or selecting a different time range.')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(rows()).toHaveLength(4)
  })
})

test('a namespace that does not answer keeps its backups; it is named with the reason and the right that is missing', async () => {
  const since = NOW - 5 * 60_000
  const unreadable = [
    { what: 'namespace main/prod', error: 'no answer within 120 s', since },
    { what: 'datastore attic', error: '403 permission check failed', right: 'Datastore.Audit', since },
    { what: 'server status', error: 'of no concern here', since },
  ]
  const { live } = await given(estate)
  const before = rows()
  act(() =>
    live.put({ sources: { vault: { name: 'pbs-vault', kind: 'pbs', health: 'healthy', unreadable } } }),
  )
  const listed = within(screen.getByRole('list', { name: 'Cannot be read' })).getAllByRole('listitem')
  expect(listed.map(({ textContent }) => textContent)).toEqual([
    'vault: namespace main/prod cannot be read for 5 min.no answer within 120 s',
    'vault: datastore attic cannot be read for 5 min.403 permission check failedMissing right: Datastore.Audit',
  ])
  expect(rows()).toEqual(before)
})

test('[design 1] backups of a namespace that cannot be read stay, without colours, with their age and the reason', async () => {
  const datastore = estate.datastores.one
  const since = NOW - 5 * 60_000
  const reason = 'no answer within 120 s'
  const at = (path: string) => ({ path, depth: 0, backups: 1 })
  const { live } = await given(estate)
  const marks = () =>
    ['deep', 'root'].map((id) => within(row(id)).queryByRole('img', { name: 'Not fresh' })?.dataset['tip'])
  expect(marks()).toEqual([undefined, undefined])
  const namespaces = [at(''), { ...at('prod'), error: reason, staleSince: since }]
  act(() => live.put({ datastores: { one: { ...datastore, namespaces } } }))
  expect(marks()).toEqual([`Last read 5m ago.\n${reason}`, undefined])
  expect(within(row('deep')).getByText('Verified').closest('.grayscale')).not.toBeNull()
  act(() => live.put({ datastores: { one: { ...datastore, status: 'error', staleSince: since } } }))
  expect(marks()).toEqual(['Last read 5m ago.', 'Last read 5m ago.'])
  act(() => live.put({ datastores: { one: datastore } }))
  expect(marks()).toEqual([undefined, undefined])
})

test('the slice is streamed while the page is open, and no longer', async () => {
  const { asked, unmount } = await given(estate)
  expect(asked).toEqual(['+backups'])
  unmount()
  expect(asked).toEqual(['+backups', '-backups'])
})
