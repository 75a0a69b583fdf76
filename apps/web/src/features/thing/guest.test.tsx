// @vitest-environment happy-dom
import { aGuest, aNode, aPbsBackup, aProtection, aReplicationJob, aSnapshot, anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showThing } from './fake-thing.tsx'
import { within as waitMs } from '../../../../../scripts/test-limits.ts'

const path = '/proxmox/guest/main%3A100'
const guest = aGuest({ source: 'main', vmid: 100, name: 'web', tags: 'production' })
const records = { guests: { 'main:100': guest }, nodes: { 'main:pve1': aNode({ source: 'main' }) } }

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const section = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }))

test('[M 3.3] the window and the heading have the name of the guest', async () => {
  await showThing(path, { records })
  expect(document.title).toBe('web · Pulse')
  expect(screen.getAllByRole('heading', { level: 1 }).map((one) => one.textContent)).toEqual(['web'])
})

test('it says at which site it is, and that there is no word from it', async () => {
  const { live } = await showThing(path, { records })
  const fact = (term: string) => screen.queryByText(term, { selector: 'dt' })?.nextSibling?.textContent
  expect(fact('Site')).toBeUndefined()
  const source = {
    name: 'main',
    kind: 'pve',
    health: 'unknown',
    site: 'Berlin',
    siteUnreachableSince: 1,
  } as const
  const gone = { connectionHealth: 'unknown', staleSince: 1, status: 'stopped' }
  await act(async () =>
    live.put({ sources: { main: source }, guests: { 'main:100': { ...guest, ...gone } } }),
  )
  expect(fact('Site')).toBe('Berlin')
  expect(fact('Status')).toBe('No word from its site, last known stopped')
  expect(document.body.textContent).not.toContain('Not answering')
})

test('[M 3.6] it says when its disk will be full, if that is known', async () => {
  const now = Date.now()
  const day = 24 * 3_600_000
  const forecast = { fullAt: now + 12 * day, earliestAt: now + 9 * day, latestAt: now + 17 * day }
  const { live } = await showThing(path, { records })
  const term = () => screen.queryByText('Disk full in', { selector: 'dt' })
  expect(term()).toBeNull()
  await act(async () => live.put({ guests: { 'main:100': { ...guest, forecast } } }))
  expect(term()!.nextSibling!.textContent).toBe('12 days · between 9 and 17 days')
  const disks = [
    { mountpoint: '/', total: 100, forecast: { ...forecast, fullAt: now + 13 * day } },
    { mountpoint: '/srv', total: 100, forecast },
  ]
  await act(async () => live.put({ guests: { 'main:100': { ...guest, disks } } }))
  expect(term()!.nextSibling!.textContent).toBe('12 days · /srv · between 9 and 17 days')
})

test('[M 3.5] its changes lead to the page of changes with those of the guest, whatever its name is', async () => {
  await showThing(path, { records })
  expect(screen.getByRole('link', { name: 'All changes' }).getAttribute('href')).toBe(
    '/proxmox/changes?range=month&kind=guests&id=main%3A100',
  )
})

test('[M 3.3] it leads to the page of its node and back to the Overview', async () => {
  await showThing(path, { records })
  const above = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('link')
  expect(above.map((link) => link.getAttribute('href'))).toEqual([
    '/proxmox/overview',
    '/proxmox/node/main%3Apve1',
  ])
})

test('[M 3.3] an update changes the figures and nothing else', async () => {
  const { live } = await showThing(path, { records })
  // everything else has arrived
  for (const text of [/^No alerts in/, /^No changes/, /^No history/])
    await screen.findByText(text, {}, { timeout: waitMs(20_000) })
  const changed: Element[] = []
  const observer = new MutationObserver((all) =>
    changed.push(...all.map(({ target }) => (target instanceof Element ? target : target.parentElement!))),
  )
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  await act(async () => live.set('guests', { 'main:100': { cpu: 0.77, diskRead: 3 * 1024 ** 2 } }))
  observer.disconnect()
  expect(section('Current figures').getByText('77.0')).toBeDefined()
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.filter((one) => !one.closest('[aria-label="Current figures"]'))).toEqual([])
})

test('[M 3.3] backups and snapshots of this guest, not those of another cluster’s guest with its number', async () => {
  await showThing(path, {
    records: {
      guests: { ...records.guests, 'lab:100': aGuest({ source: 'lab', instance: 'lab', name: 'other' }) },
      pbsBackups: {
        own: aPbsBackup({ vmid: '100', listedBy: ['main'], datastore: 'own' }),
        foreign: aPbsBackup({ vmid: '100', listedBy: ['lab'], datastore: 'foreign' }),
      },
      pveBackups: {
        one: aSnapshot({ source: 'main', vmid: 100, name: 'before-upgrade' }),
        two: aSnapshot({ source: 'lab', vmid: 100, name: 'foreign' }),
      },
      protections: { 'main:100': aProtection({ source: 'main', vmid: 100, inJob: false }) },
      replicationJobs: { job: aReplicationJob({ source: 'main', vmid: 100, job: '100-0' }) },
    },
  })
  expect(section('Backups').getByText('own')).toBeDefined()
  expect(section('Backups').getByText('No backup job', { selector: 'dd' })).toBeDefined()
  expect(section('Snapshots').getByText('before-upgrade')).toBeDefined()
  expect(section('Replication').getByText('100-0')).toBeDefined()
  expect(screen.queryByText('foreign')).toBeNull()
})

test('[M 3.3] before the backups have arrived, no list claims to be empty', async () => {
  await showThing(path, { records, connection: { loadedSlices: [] } })
  expect(section('Backups').getByRole('status').textContent).toBe('Loading')
  expect(screen.queryByText(/^No backups|^No snapshots/)).toBeNull()
})

const past = {
  ...anAlert({ id: 'cpu', resourceId: guest.id, message: 'CPU was at 95 %' }),
  peakLevel: 'critical',
  status: 'resolved',
  duration: 600,
}

test('[M 3.3] alerts that fire come first, then those before, each once', async () => {
  const asked: unknown[] = []
  const firing = anAlert({
    id: 'memory',
    resourceId: guest.id,
    message: 'Memory is at 97 %',
    startTime: '2026-11-20T10:00:00Z',
  })
  const other = anAlert({ id: 'other', resourceId: 'another', message: 'Not this one' })
  await showThing(path, {
    records: { ...records, activeAlerts: { memory: firing, other } },
    replies: {
      '/api/alerts/history': ({ query }: { query: unknown }) => {
        asked.push(query)
        return [past, { ...past, ...firing, status: 'active' }]
      },
    },
  })
  const rows = within(screen.getByRole('list', { name: 'Alerts of web' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Memory is at 97 %.*Active$/),
    expect.stringMatching(/^CPU was at 95 %.*for 10m.*Resolved$/),
  ])
  expect(asked).toContainEqual(expect.objectContaining({ resourceId: guest.id }))
})

test('[M 3.3] of very many alerts it does not claim to have all', async () => {
  const alerts = async (count: number) => {
    const many = Array.from({ length: count }, (_, n) => ({ ...past, id: `cpu ${n}` }))
    await showThing(path, { records, replies: { '/api/alerts/history': many } })
    const shown = section('Alerts')
    const [button, title] = [shown.getAllByRole('button').at(-1)!, shown.getByRole('heading', { level: 2 })]
    const texts = [title.textContent, button.textContent]
    cleanup()
    return texts
  }
  expect(await alerts(99)).toEqual(['Alerts99', 'Show all 99 past alerts'])
  expect(await alerts(100)).toEqual(['Alerts100+', 'Show the newest 100 past alerts'])
})

test('[M 3.3] alerts that cannot be loaded are said to be so, and Retry asks again', async () => {
  let isUp = false
  await showThing(path, {
    records,
    replies: {
      '/api/alerts/history': () => {
        if (!isUp) throw new Error('The server does not answer.')
        return [past]
      },
    },
  })
  const alerts = section('Alerts')
  expect(alerts.getByRole('alert').textContent).toContain('The server does not answer.')
  isUp = true
  await act(async () => void fireEvent.click(alerts.getByRole('button', { name: 'Retry' })))
  expect(await alerts.findByText('CPU was at 95 %')).toBeDefined()
})

test('[M 3.4] in the past it has the alerts of then, with what they were then, and moves with the moment', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const day = 86_400_000
  const at = Date.UTC(2026, 10, 20, 12)
  const entry = (message: string, from: number, to: number) => ({
    ...past,
    id: message,
    message,
    startTime: new Date(from).toISOString(),
    endTime: new Date(to).toISOString(),
  })
  const history = [
    entry('after', at + day, at + day + 60_000),
    entry('during', at - 60_000, at + 60_000),
    entry('before', at - day, at - day + 60_000),
  ]
  const asked: unknown[] = []
  const { moveTo } = await showThing(path, {
    records,
    moment: at,
    replies: {
      '/api/alerts/history': ({ query }: { query: { startTime?: string; endTime?: string } }) => {
        // the charts ask for a range
        if (!query.startTime) asked.push(query)
        return history.filter(({ startTime }) => !query.endTime || startTime <= query.endTime)
      },
    },
  })
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'Alerts of web' }))
      .getAllByRole('listitem')
      .map((row) => row.textContent)
  expect(await rows()).toEqual([
    expect.stringMatching(/^during.*Active$/),
    expect.stringMatching(/^before.*Resolved$/),
  ])
  await moveTo(at + 2 * day)
  expect(await rows()).toEqual(
    ['after', 'during', 'before'].map((name) => expect.stringMatching(new RegExp(`^${name}.*Resolved$`))),
  )
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000))
  expect(asked, 'the past does not change').toHaveLength(2)
})

test('[M 3.3] a stopped guest has its word and no figures', async () => {
  await showThing(path, { records: { ...records, guests: { 'main:100': { ...guest, status: 'stopped' } } } })
  expect(screen.getByText('Stopped', { selector: 'dd' })).toBeDefined()
  expect(section('Current figures').queryByText('%')).toBeNull()
})

test('[M 3.3] a source that does not answer: its notice, the age of the figures, and no colour', async () => {
  const staleSince = Date.now() - 120_000
  await showThing(path, {
    records: {
      guests: { 'main:100': { ...guest, cpu: 0.99, staleSince } },
      nodes: { 'main:pve1': { ...records.nodes['main:pve1'], connectionHealth: 'error', staleSince } },
      sources: {
        main: { name: 'main', kind: 'pve', health: 'error', error: '127.0.0.1:8006: closed', staleSince },
      },
    },
  })
  expect(screen.getByText('main does not answer.')).toBeDefined()
  expect(screen.getByText('Stale 2m')).toBeDefined()
  expect(section('Current figures').getByText('99.0').className).not.toContain('text-red')
})
