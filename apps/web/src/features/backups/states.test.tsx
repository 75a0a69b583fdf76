// @vitest-environment happy-dom
import { aProtection, backedUpEstate } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { NOW, atOneMoment, given, rows, table, type } from './fake-page.tsx'

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
  })

  test.each(['reconnecting', 'disconnected'] as const)('%s: Connection lost', async (status) => {
    await given({}, { status, initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    expect(
      screen.getByText('Unable to connect to the backend server. Attempting to reconnect...'),
    ).toBeDefined()
  })

  test('nobody to ask: No backup sources configured, with the way to the settings', async () => {
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

  test('at first nobody is called unprotected: no backup was read yet', async () => {
    await given({ sources: estate.sources!, protections: { 'main:100': aProtection({ newest: undefined }) } })
    expect(screen.queryByText(/not well protected/)).toBeNull()
    fireEvent.click(screen.getByRole('tab', { name: 'Protection' }))
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    act(() => void vi.advanceTimersByTime(21_000))
    expect(screen.getByRole('tab', { name: 'Protection (1)' })).toBeDefined()
    expect(screen.getByRole('button', { name: '1 not well protected' })).toBeDefined()
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
  const told = within(screen.getByRole('list', { name: 'Cannot be read' })).getAllByRole('listitem')
  expect(told.map(({ textContent }) => textContent)).toEqual([
    'vault: namespace main/prod cannot be read for 5 min.no answer within 120 s',
    'vault: datastore attic cannot be read for 5 min.403 permission check failedMissing right: Datastore.Audit',
  ])
  expect(rows()).toEqual(before)
})

test('the slice is streamed while the page is open, and no longer', async () => {
  const { asked, unmount } = await given(estate)
  expect(asked).toEqual(['+backups'])
  unmount()
  expect(asked).toEqual(['+backups', '-backups'])
})
