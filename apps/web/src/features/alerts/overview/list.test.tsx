// @vitest-environment happy-dom
import { anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { choose as pick } from '../destinations/fixtures.tsx'
import { anAlertConfig, click, row } from '../fake-alerts.tsx'
import { cpu, eachOnItsOwn, figures, off, old, rows, show } from '../fake-overview.tsx'

const ok = { success: true }

eachOnItsOwn()

describe('a list of many', () => {
  const tank = anAlert({
    id: 'tank',
    resourceName: 'tank',
    node: 'pve2',
    type: 'zfs-pool-state',
    message: 'ZFS pool tank is DEGRADED',
  })
  const bulk = 'POST /api/alerts/bulk/acknowledge'
  const heads = () => rows().filter((key) => key!.startsWith('group:'))
  const search = (text: string) =>
    act(
      async () =>
        void fireEvent.change(screen.getByRole('textbox', { name: 'Search active alerts' }), {
          target: { value: text },
        }),
    )
  const choose = (name: string, option: string) => pick(screen.getByRole('combobox', { name }), option)
  const tick = (name: string | RegExp) => click(name, 'checkbox')

  test('is a line of 36 px each, those near the window', async () => {
    await show(Array.from({ length: 2_000 }, (_, at) => anAlert({ id: `alert-${at}` })))
    expect(row(rows()[0]!).style.height).toBe('36px')
    expect(rows().length).toBeLessThan(100)
    expect(figures()[0]).toEqual(['Active Alerts', '2,000'])
  })

  test('is searched, and filtered by severity, kind and node; the cards go on counting all', async () => {
    await show([cpu, off, tank])
    await search('degraded')
    expect(rows()).toEqual(['tank'])
    await search('')
    await click('Critical', 'radio')
    expect(rows()).toEqual(['off'])
    await click('All', 'radio')
    await choose('Kind', 'ZFS pool state')
    expect(rows()).toEqual(['tank'])
    await choose('Kind', 'All kinds')
    await choose('Node', 'pve1')
    expect(rows()).toEqual(['off', 'guest/100-cpu'])
    expect(figures()[0]).toEqual(['Active Alerts', '3'])
    await search('nothing of it')
    expect(screen.getByText('No alerts match')).toBeDefined()
    await click('Reset filters')
    expect(rows()).toHaveLength(3)
  })

  test('is grouped by cause or by node; only that is remembered', async () => {
    await show([cpu, off, tank])
    await choose('Groups', 'By node')
    expect(heads()).toEqual(['group:pve1', 'group:pve2'])
    expect(row('group:pve1').textContent).toBe('pve12 alerts, 1 critical')
    await choose('Groups', 'By cause')
    expect(heads()).toEqual(['group:Powered off', 'group:CPU', 'group:ZFS pool state'])
    await click('Critical', 'radio')
    cleanup()
    await show([cpu, off, tank])
    expect(rows()).toHaveLength(6)
  })

  test('what is selected is acknowledged together, and nothing else', async () => {
    const results = [{ alertId: 'tank', success: true }]
    const { asked } = await show([cpu, off, old, tank], { replies: { [bulk]: { results } } })
    await tick('Select tank: ZFS pool tank is DEGRADED')
    await tick('Select mail: mail is off')
    await tick('Select mail: mail is off')
    expect(screen.queryByRole('checkbox', { name: /^Select db/ })).toBeNull()
    expect(row('tank').getAttribute('aria-selected')).toBe('true')
    await click('Acknowledge selected (1)')
    expect(asked(bulk).map(({ body }) => body)).toEqual([{ alertIds: ['tank'], user: 'ann' }])
    // acknowledging an alert deselects it
    expect(screen.getByRole('button', { name: 'Acknowledge all (2)' })).toBeDefined()
  })

  test('a group is selected as a whole; what is filtered out is not acted on', async () => {
    const { asked } = await show([cpu, off, tank], { replies: { [bulk]: { results: [] } } })
    await choose('Groups', 'By node')
    await tick('Select all of pve1')
    expect(screen.getByRole('button', { name: 'Acknowledge selected (2)' })).toBeDefined()
    await click('Critical', 'radio')
    await click('Acknowledge selected (1)')
    expect(asked(bulk)[0]!.body).toEqual({ alertIds: ['off'], user: 'ann' })
  })

  test('filtered, the button acknowledges what is listed', async () => {
    const { asked } = await show([cpu, off, tank], { replies: { [bulk]: { results: [] } } })
    await search('pve2')
    await click('Acknowledge listed (1)')
    expect(asked(bulk)[0]!.body).toEqual({ alertIds: ['tank'], user: 'ann' })
  })

  test('a viewer filters and groups, and selects nothing', async () => {
    await show([cpu, off], { role: 'viewer' })
    await choose('Groups', 'By cause')
    expect(heads()).toHaveLength(2)
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('alerts that are off', () => {
  const pending = anAlertConfig({ activationState: 'pending_review' })
  const active = 'GET /api/alerts/active'

  test('say so in place of a green tick, with what would alert now and the way to switch them on', async () => {
    const view = await show([], {
      config: pending,
      replies: { [active]: [cpu, off, old], 'POST /api/alerts/activate': ok },
    })
    expect(screen.getByText('Alerts are off · 3 conditions would alert now')).toBeDefined()
    expect(screen.queryByText('No active alerts')).toBeNull()
    await click('Activate alerts')
    await view.settled()
    expect(view.asked('POST /api/alerts/activate')).toHaveLength(1)
  })

  test.each([
    [[cpu], 'Alerts are off · 1 condition would alert now'],
    [[], 'Alerts are off · no condition would alert now'],
    [500, 'Alerts are off'],
  ])('%j: %s', async (reply, text) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show([], { config: pending, replies: { [active]: reply } })
    expect(screen.getByText(text)).toBeDefined()
  })

  test('are switched on by administrators', async () => {
    await show([], { config: pending, role: 'viewer', replies: { [active]: [] } })
    expect(screen.queryByRole('button', { name: 'Activate alerts' })).toBeNull()
  })
})

test('the switch stands in the head of the page', async () => {
  await show([])
  const head = screen.getByRole('heading', { level: 1 }).closest('header')!
  expect(within(head).getByRole('switch', { name: 'Alerts enabled' })).toBeDefined()
})

test('[M 3.4] the start of an alert opens the page of then, as far as the history reaches', async () => {
  const startTime = new Date(Date.now() - 5 * 60_000).toISOString()
  await show([{ ...cpu, startTime, metadata: { resourceType: 'VM' } }, off])
  const at = (Math.floor(Date.parse(startTime) / 60_000) + 2) * 60_000
  expect(
    within(row('guest/100-cpu'))
      .getByRole('link', { name: /show the page at that time$/ })
      .getAttribute('href'),
  ).toBe(`/proxmox/overview?search=web&at=${at}`)
  expect(within(row('off')).queryByRole('link', { name: /show the page at that time$/ })).toBeNull()
})

test('an alert leads to what it is about', async () => {
  const guest = { ...cpu, metadata: { resourceType: 'VM' } }
  await show([guest, { ...off, metadata: { resourceType: 'Nothing known' } }])
  expect(within(row(cpu.id)).getByRole('link', { name: 'web' }).getAttribute('href')).toBe(
    '/proxmox/overview?search=web',
  )
  const at = Date.parse(off.startTime)
  const before = `/proxmox/changes?from=${at - 86_400_000}&to=${at + 60_000}&alert=${at}`
  expect(
    within(row('off'))
      .getAllByRole('link')
      .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
    '[M 3.5] the changes before it are one click away',
  ).toEqual([[`What changed before: ${off.resourceName}`, before]])
})

test('the search explains site: while there are sites', async () => {
  const { live } = await show([cpu])
  const source = { name: 'main', kind: 'pve', health: 'healthy' } as const
  const tips = () => screen.queryByRole('button', { name: 'Search tips' })
  expect(tips()).toBeNull()
  await act(async () => live.put({ sources: { main: { ...source, site: 'Berlin' } } }))
  fireEvent.click(tips()!)
  expect(await screen.findByText('alerts of a site; site:main is where Pulse runs')).toBeDefined()
})
