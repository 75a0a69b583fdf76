// @vitest-environment happy-dom
import { aPmgBackup, aSnapshot, backedUpEstate } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  HOUR,
  NOW,
  ago,
  atOneMoment,
  bars,
  cells,
  choose,
  chosen,
  given,
  row,
  rows,
  search,
  table,
  type,
} from './fake-page.tsx'

const estate = backedUpEstate(NOW)

atOneMoment()

describe('[spec 1 §2] the table', () => {
  test('has its columns; that of owners while there are any', async () => {
    const heads = () =>
      within(table())
        .getAllByRole('columnheader')
        .map((one) => one.textContent)
    const { live } = await given(estate)
    const all = [
      'Type',
      'Guest',
      'Name',
      'Node',
      'Time',
      'Backup',
      'Details',
      'Owner',
      'Size',
      'Location',
      'Verified',
    ]
    expect(heads()).toEqual(all)
    act(() => live.remove('pbsBackups', 'deep', 'root'))
    expect(heads()).toEqual(all.filter((head) => head !== 'Owner'))
  })

  test('shows each backup in them', async () => {
    await given(estate)
    const time = (hours: number) =>
      new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
        NOW - hours * HOUR,
      )
    expect(cells('snap')).toEqual([
      'VM',
      '100',
      'web',
      'pve1',
      time(1),
      'Snapshot',
      'before-update',
      '—',
      '—',
      '—',
      'OK',
    ])
    expect(cells('deep')).toEqual([
      'VM',
      '100',
      'web',
      'backup',
      time(192),
      'PBS',
      '',
      'pulse',
      '30 GB',
      'main/prod',
      'Verified',
    ])
    expect(cells('root').slice(-2)).toEqual(['main', 'Unverified'])
  })

  test('[spec 1 §9] age and size have their colours', async () => {
    await given(estate)
    const tones = (id: string, cell: number) =>
      [...within(row(id)).getAllByRole('gridcell')[cell]!.querySelectorAll('[class*=text-]')]
        .map((one) => /text-(green|yellow|orange|red)/.exec(one.className)?.[1])
        .find(Boolean)
    expect(['snap', 'file', 'deep', 'root'].map((id) => tones(id, 4))).toEqual([
      'green',
      'yellow',
      'orange',
      'red',
    ])
    expect(['file', 'deep', 'root'].map((id) => tones(id, 8))).toEqual(['yellow', 'orange', 'red'])
  })

  test('[spec 1 §4] starts with the newest; time and size start descending, others ascending, and flip', async () => {
    await given(estate)
    expect(rows()).toEqual(['snap', 'file', 'deep', 'root'])
    choose('By Guest', 'Group')
    const head = (name: string) => fireEvent.click(within(table()).getByRole('button', { name }))
    const sorted = (name: string) =>
      within(table()).getByRole('columnheader', { name }).getAttribute('aria-sort')
    for (const name of ['Size', 'Name', 'Verified', 'Time', 'Location']) {
      head(name)
      const first = ['Size', 'Time'].includes(name) ? 'descending' : 'ascending'
      expect(sorted(name), name).toBe(first)
      head(name)
      expect(sorted(name), name).toBe(first === 'ascending' ? 'descending' : 'ascending')
    }
    expect(within(table()).queryByRole('button', { name: 'Details' })).toBeNull()
    expect(localStorage.getItem('backupsSortKey')).toBe('storage')
  })

  test('on a phone each is a card of two lines', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await given(estate)
    choose('PVE', 'Source')
    const [first, second] = cells('file')
    for (const text of ['db', 'LXC', '105']) expect(first).toContain(text)
    expect(second).toBe('PVEpve2Size6 GBUnverified')
    expect(within(table()).queryAllByRole('columnheader')).toEqual([])
    // beside the search if there is room
    expect(
      search()
        .closest('div')!
        .parentElement!.contains(screen.getByRole('button', { name: 'Relative times' })),
    ).toBe(true)
  })

  test('[spec 1 §9] is 1200 px wide at least, and its tooltips 260 px at most', async () => {
    const long = 'a description that is far longer than its column is wide'
    await given({ pveBackups: { s: aSnapshot({ name: 'a', description: long, time: ago(1) }) } })
    expect(row('s').parentElement!.style.minWidth).toBe('75rem')
    const details = within(row('s')).getByText('a · a description that is far longer...')
    expect(details.dataset).toMatchObject({ tip: `a\n${long}`, tipWidth: '260' })
  })

  test('times are ages when that is preferred, and stay so', async () => {
    await given(estate)
    fireEvent.click(screen.getByRole('button', { name: 'Relative times' }))
    expect(cells('snap')[4]).toBe('1 hour ago')
    expect(localStorage.getItem('backupsUseRelativeTime')).toBe('true')
  })
})

describe('[spec 1 §2] the filter bar', () => {
  test('has its toggles; PMG-host while there are backups of hosts', async () => {
    const { live } = await given(estate)
    const options = (group: string) =>
      within(screen.getByRole('radiogroup', { name: group }))
        .getAllByRole('radio')
        .map((one) => one.textContent)
    expect(options('Source')).toEqual(['All', 'Snapshots', 'PVE', 'PBS'])
    expect(options('Guest type')).toEqual(['All Types', 'VM', 'LXC'])
    expect(options('Group')).toEqual(['By Date', 'By Guest'])
    act(() => live.put({ pmgBackups: { m: aPmgBackup({ backupTime: ago(2) }) } }))
    expect(options('Guest type')).toEqual(['All Types', 'VM', 'LXC', 'PMG-host'])
    choose('PMG-host', 'Guest type')
    expect(rows()).toEqual(['m'])
  })

  test('filters, returns to All on a second click, and is reset', async () => {
    await given(estate)
    choose('PBS', 'Source')
    expect(rows()).toEqual(['deep', 'root'])
    choose('PBS', 'Source')
    expect(chosen('Source')).toBe('All')
    choose('By Guest', 'Group')
    choose('By Guest', 'Group')
    expect(chosen('Group')).toBe('By Date')
    choose('LXC', 'Guest type')
    expect(rows()).toEqual(['file'])
    await type('db')
    fireEvent.click(bars().at(-1)!)
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect([search().value, chosen('Source'), chosen('Guest type'), chosen('Group')]).toEqual([
      '',
      'All',
      'All Types',
      'By Date',
    ])
    expect(screen.queryByText('Filtered Date')).toBeNull()
    expect(rows()).toHaveLength(4)
  })

  test('[spec 1 §5] pbs:… in the search leaves that place alone, and forces the source to PBS', async () => {
    await given(estate)
    choose('Snapshots', 'Source')
    await type('pbs:backup:main:prod')
    expect([chosen('Source'), rows()]).toEqual(['PBS', ['deep']])
    await type('pbs:backup:main:')
    expect(rows()).toEqual(['root'])
  })

  test('remembers a search', async () => {
    await given(estate)
    await type('web')
    fireEvent.keyDown(search(), { key: 'Enter' })
    expect(JSON.parse(localStorage.getItem('backupsSearchHistory')!)).toEqual(['web'])
  })

  test('says of a term that can match nothing why', async () => {
    await given(estate)
    await type('cpu>80')
    expect(screen.getAllByText(/"cpu>80" can match nothing: backups have no cpu/)).not.toHaveLength(0)
  })
})

describe('[spec 1 §2] the node table', () => {
  const nodes = () => screen.getByRole('grid', { name: 'Nodes and backup servers' })
  const line = (name: string) =>
    within(nodes())
      .getByRole('link', { name: `${name}, open web interface` })
      .closest('[role=row]')!

  test('counts backups of nodes and backup servers', async () => {
    await given(estate)
    const heads = within(nodes())
      .getAllByRole('columnheader')
      .map((one) => one.textContent)
    expect(heads).toEqual(['Node / PBS', 'Uptime', 'CPU', 'Memory', 'Storage / Disk', 'Backups'])
    const count = (name: string) =>
      within(line(name) as HTMLElement)
        .getAllByRole('gridcell')
        .at(-1)!.textContent
    expect([count('pve1'), count('pve2'), count('backup')]).toEqual(['1', '1', '2'])
  })

  test('a node leaves its backups; a backup server also forces the source to PBS', async () => {
    await given(estate)
    fireEvent.click(line('pve2'))
    expect([rows(), chosen('Source')]).toEqual([['file'], 'All'])
    fireEvent.click(line('backup'))
    expect([rows(), chosen('Source')]).toEqual([['deep', 'root'], 'PBS'])
    fireEvent.click(line('backup'))
    expect([rows().length, chosen('Source')]).toEqual([4, 'All'])
  })

  test('Escape gives the selected one up', async () => {
    await given(estate)
    fireEvent.click(line('backup'))
    act(() => void fireEvent.keyDown(document.body, { key: 'Escape' }))
    expect([rows().length, chosen('Source')]).toEqual([4, 'All'])
    expect(line('backup').getAttribute('aria-selected')).not.toBe('true')
  })
})

test('groups have heads: days by their names, guests by theirs', async () => {
  await given(estate)
  const heads = () =>
    [...table().querySelectorAll<HTMLElement>('[data-row^="head:"]')].map((one) => one.textContent)
  expect(heads()[0]).toBe('Today1 backup')
  choose('By Guest', 'Group')
  expect(heads()).toEqual(['VM100webmain3 backups', 'LXC105dbmain1 backup'])
})

test('keys: typing searches, Escape resets', async () => {
  await given(estate)
  act(() => void fireEvent.keyDown(document.body, { key: 'w' }))
  expect(document.activeElement).toBe(search())
  await type('web')
  act(() => void fireEvent.keyDown(document.body, { key: 'Escape' }))
  expect(search().value).toBe('')
})

test('[M 3.2] the figures of the machines have trends, so the page has the switch, on each of its tabs', async () => {
  await given(estate)
  expect(screen.getByRole('button', { name: 'Trends' }).getAttribute('aria-pressed')).toBe('false')
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: 'Protection' })))
  expect(screen.getByRole('button', { name: 'Trends' })).toBeDefined()
})
